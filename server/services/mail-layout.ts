// How our mails look. Each is written once, as paragraphs, a list of links and at most one button, and rendered as plain
// text and as HTML: no images, no tracking, nothing of a stranger's choosing in a mail to an address that is not proven.

export interface Content {
  subject: string;
  paragraphs: string[];
  /** A list of links below the paragraphs. */
  items?: { label: string; path: string }[];
  action?: { label: string; path: string };
  /** Below the link, quieter. */
  notes?: string[];
  /** The page where one click ends these mails (RFC 8058). */
  unsubscribePath?: string;
}

export interface Rendered {
  subject: string;
  text: string;
  html: string;
  /** Full addresses, in the order in which they stand in the mail. */
  links: string[];
  /** Where one click ends these mails; mail programs get it as List-Unsubscribe. */
  unsubscribe?: string;
}

/** @param baseUrl where the public reaches us: every link begins with it */
export function layOut(content: Content, baseUrl: string): Rendered {
  const { subject, paragraphs, items = [], action, notes = [], unsubscribePath } = content;
  const full = (path: string) => new URL(path, baseUrl).href;
  const linked = items.map(({ label, path }) => ({ label, href: full(path) }));
  const main = action && { label: action.label, href: full(action.path) };
  const unsubscribe = unsubscribePath && full(unsubscribePath);
  const text = [
    ...paragraphs,
    ...linked.map(({ label, href }) => `- ${label}\n  ${href}`),
    ...(main ? [`${main.label}:\n${main.href}`] : []),
    ...notes,
    ...(unsubscribe ? [`${END_THESE}:\n${unsubscribe}`] : []),
    `-- \nAisle, ${new URL(baseUrl).host}`,
  ];
  return {
    subject,
    text: `${text.join("\n\n")}\n`,
    html: page(subject, [
      ...paragraphs.map((line) => block(escaped(line))),
      ...(linked.length > 0 ? [list(linked)] : []),
      ...(main ? [button(main)] : []),
      ...notes.map((line) => quiet(escaped(line))),
      ...(unsubscribe ? [quiet(anchor({ label: END_THESE, href: unsubscribe }, `color:${MUTED}`))] : []),
    ]),
    links: [...linked, ...(main ? [main] : [])].map(({ href }) => href).concat(unsubscribe ?? []),
    ...(unsubscribe && { unsubscribe }),
  };
}

/** A page of ours with its query, whose slashes stay readable. */
export const linkTo = (page: string, query: Record<string, string>): string =>
  `${page}?${new URLSearchParams(query).toString().replaceAll("%2F", "/")}`;

/** Of ISO 8601: the day, and the minute, in UTC. */
export const day = (at: string) => at.slice(0, 10);
export const moment = (at: string) => `${day(at)} at ${at.slice(11, 16)} UTC`;

const END_THESE = "Stop these emails";

// The console's colours (tailwind.config.ts): mail programs know no variables, and many no style but an element's own.
const ACCENT = "#4f46e5";
const MUTED = "#5a5a66";
/** For the programs that read it; the others show every mail light. */
const DARK = `@media (prefers-color-scheme:dark){body{background:#121215!important;color:#ececf0!important}
a{color:#a9a4ff!important}a.button{background:#5a51e8!important;color:#ffffff!important}.quiet,.quiet a{color:#a3a3af!important}}`;

interface Anchor {
  label: string;
  href: string;
}

/** A reason keeps the lines that it was given. */
const block = (html: string) => `<p style="margin:0 0 16px;white-space:pre-line">${html}</p>`;
const quiet = (html: string) => `<p class="quiet" style="margin:0 0 16px;color:${MUTED};font-size:14px">${html}</p>`;
const anchor = ({ label, href }: Anchor, style: string) =>
  `<a href="${escaped(href)}" style="${style}">${escaped(label)}</a>`;
const list = (anchors: Anchor[]) =>
  `<ul style="margin:0 0 20px;padding:0 0 0 20px">${anchors
    .map((one) => `<li style="margin:0 0 8px">${anchor(one, `color:${ACCENT}`)}</li>`)
    .join("")}</ul>`;

const button = ({
  label,
  href,
}: Anchor) => `<p style="margin:8px 0 12px"><a class="button" href="${escaped(href)}" style="${BUTTON}">${escaped(label)}</a></p>
<p class="quiet" style="margin:0 0 24px;color:${MUTED};font-size:13px;word-break:break-all">${escaped(href)}</p>`;
const BUTTON = `display:inline-block;padding:10px 18px;border-radius:8px;background:${ACCENT};color:#ffffff;text-decoration:none;font-weight:600`;

const page = (subject: string, blocks: string[]) => `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark"><style>${DARK}</style><title>${escaped(subject)}</title></head>
<body style="margin:0;padding:32px 16px;background:#ffffff;color:#17171c;font:16px/1.5 system-ui,-apple-system,'Segoe UI',Roboto,sans-serif;overflow-wrap:anywhere">
<div style="max-width:560px;margin:0 auto">
<p style="margin:0 0 24px;font-weight:700;font-size:18px">Aisle</p>
${blocks.join("\n")}
</div>
</body>
</html>
`;

const entities: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };
const escaped = (text: string) => text.replace(/[&<>"']/g, (char) => entities[char]!);

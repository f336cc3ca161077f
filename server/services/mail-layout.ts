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
      ...notes.map((line) => block(escaped(line), QUIET)),
      ...(unsubscribe ? [block(anchor({ label: END_THESE, href: unsubscribe }, "color:#6b7280"), QUIET)] : []),
    ]),
    links: [...linked, ...(main ? [main] : [])].map(({ href }) => href).concat(unsubscribe ?? []),
    ...(unsubscribe && { unsubscribe }),
  };
}

const END_THESE = "Stop these mails";
const QUIET = "color:#6b7280;font-size:14px;";

interface Anchor {
  label: string;
  href: string;
}

const block = (html: string, style = "") => `<p style="margin:0 0 16px;${style}">${html}</p>`;
const anchor = ({ label, href }: Anchor, style: string) =>
  `<a href="${escaped(href)}" style="${style}">${escaped(label)}</a>`;
const list = (anchors: Anchor[]) =>
  `<ul style="margin:0 0 20px;padding:0 0 0 20px">${anchors
    .map((one) => `<li style="margin:0 0 8px">${anchor(one, "color:#1d4ed8")}</li>`)
    .join("")}</ul>`;

const button = ({
  label,
  href,
}: Anchor) => `<p style="margin:8px 0 12px">${anchor({ label, href }, "display:inline-block;padding:10px 18px;border-radius:8px;background:#1d4ed8;color:#ffffff;text-decoration:none;font-weight:600")}</p>
<p style="margin:0 0 24px;color:#6b7280;font-size:13px;word-break:break-all">${escaped(href)}</p>`;

const page = (subject: string, blocks: string[]) => `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${escaped(subject)}</title></head>
<body style="margin:0;padding:32px 16px;background:#ffffff;color:#111827;font:16px/1.5 system-ui,-apple-system,'Segoe UI',Roboto,sans-serif">
<div style="max-width:560px;margin:0 auto">
<p style="margin:0 0 24px;font-weight:700;font-size:18px">Aisle</p>
${blocks.join("\n")}
</div>
</body>
</html>
`;

const entities: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };
const escaped = (text: string) => text.replace(/[&<>"']/g, (char) => entities[char]!);

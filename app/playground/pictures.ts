// Where a picture of an answer comes from: the demo stores' from us, since their merchants' hosts do not exist.
const RESERVED = /\.example$/;

/** An address for an img element; undefined for what is not a picture on the web. */
export function pictureOf(link: unknown): string | undefined {
  if (typeof link !== "string" || !URL.canParse(link)) return undefined;
  const url = new URL(link);
  // RFC 2606: names under .example are nobody's.
  if (RESERVED.test(url.hostname)) return `/demo-images/${url.pathname.split("/").at(-1)}`;
  return url.protocol === "https:" ? url.href : undefined;
}

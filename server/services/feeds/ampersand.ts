// The commonest mistake in XML feeds is an & that is not written as &amp; (in addresses), the next an entity of HTML's
// (&nbsp;). XML forbids both; what is meant is plain, so they are mended before the parser sees them.

const marker = /&|<!--|<!\[CDATA\[/g;
const entity = /&(?:amp|lt|gt|quot|apos|#\d{1,7}|#[xX][\da-fA-F]{1,6});/y;
/** As long as the longest that `marker` and `entity` look for. */
const LONGEST = 10;

export class Ampersands {
  private rest = "";
  /** What ends the section that is copied as it is; undefined in text and tags. */
  private until: "]]>" | "-->" | undefined;

  /** Gives what is certain by now; the end of a piece may wait for the next. */
  mend(piece: string): string {
    return this.take(this.rest + piece, false);
  }

  end(): string {
    return this.take(this.rest, true);
  }

  private take(text: string, last: boolean): string {
    const safe = last ? text.length : text.length - LONGEST;
    let out = "";
    let at = 0;
    while (at < safe) {
      if (this.until) {
        const end = text.indexOf(this.until, at);
        const to = end < 0 ? Math.max(at, last ? text.length : text.length - 2) : end + 3;
        out += text.slice(at, to);
        at = to;
        if (end < 0) break;
        this.until = undefined;
        continue;
      }
      marker.lastIndex = at;
      const found = marker.exec(text);
      const to = Math.min(found?.index ?? text.length, Math.max(safe, at));
      out += text.slice(at, to);
      at = to;
      if (!found || found.index > to || at >= safe) break;
      entity.lastIndex = at;
      const copied = found[0] !== "&" ? found[0] : (entity.exec(text)?.[0] ?? "");
      out += copied || "&amp;";
      at += copied.length || 1;
      if (found[0] !== "&") this.until = found[0] === "<!--" ? "-->" : "]]>";
    }
    this.rest = text.slice(at);
    return out;
  }
}

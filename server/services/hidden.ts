// Characters in which a text says to a language model what no person sees (decision 0106).

/** With one of these begins, in UTF-16, whatever is hidden: few texts have any. */
const mayHide = /[\udb40-\udb43\u2061-\u2064]/;

/**
 * Plane 14: tags, which are the letters of ASCII once more, and the further variation selectors, which can stand for bytes; and the
 * signs of mathematics that are never drawn. First what is meant: the flags of England, Scotland and Wales, and a selector behind the Han
 * character that it is for.
 */
const hidden =
  /(\u{1f3f4}\u{e0067}\u{e0062}(?:\u{e0065}\u{e006e}\u{e0067}|\u{e0073}\u{e0063}\u{e0074}|\u{e0077}\u{e006c}\u{e0073})\u{e007f}|\p{Script=Han}[\u{e0100}-\u{e01ef}])|[\u{e0000}-\u{e0fff}\u2061-\u2064]/gu;

export const withoutHidden = (text: string): string =>
  mayHide.test(text) ? text.replace(hidden, (_, meant = "") => meant) : text;

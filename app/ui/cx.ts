/** Class names in a row, leaving out what is not there. */
export const cx = (...names: (string | false | 0 | null | undefined)[]) => names.filter(Boolean).join(" ");

// Patterns of LIKE.

/** Whatever has this text in it: nothing of the text is a wildcard. */
export const containing = (text: string) => `%${text.replace(/[\\%_]/g, "\\$&")}%`;

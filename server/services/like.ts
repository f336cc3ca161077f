// Patterns of LIKE.

/** Matches whatever has this text in it; nothing in the text is a wildcard. */
export const containing = (text: string) => `%${text.replace(/[\\%_]/g, "\\$&")}%`;

// CSV for spreadsheets: what came from outside must not be taken for a formula there.

/** One line, quoted where need be. A cell that a spreadsheet would calculate begins with an apostrophe. */
export const csvLine = (cells: readonly string[]): string => `${cells.map(cell).join(",")}\r\n`;

function cell(text: string): string {
  const safe = /^\s*[=+\-@]|^[\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]|^\s|\s$/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** What a cell may hold. */
export type Cell = string | number | boolean | null;

/**
 * Rows as CSV (RFC 4180). A text that a spreadsheet would take for a formula gets an apostrophe before it, which shows
 * it as the text that it is.
 */
export function toCsv(headings: readonly string[], rows: readonly (readonly Cell[])[]): string {
  return [headings, ...rows]
    .map((row) => row.map(toCell).join(','))
    .join('\r\n')
    .concat('\r\n');
}

function toCell(cell: Cell): string {
  if (cell === null) return '';
  if (typeof cell !== 'string') return String(cell);
  const text = /^[\s\0]*[=+\-@\t\r|]/.test(cell) ? `'${cell}` : cell;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

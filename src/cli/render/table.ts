import Table from 'cli-table3';
import colors from './colors.ts';

/** Cells of one row; null and undefined are shown as a dash. */
export type Row = readonly (string | number | null | undefined)[];

/** A plain table with a head, columns as wide as their content. Numbers stand to the right. */
export function renderTable(head: readonly string[], rows: readonly Row[]): string {
  const aligns = head.map((_, column) =>
    rows.length > 0 && rows.every((row) => isFigure(row[column])) ? ('right' as const) : ('left' as const),
  );
  const table = new Table({
    head: head.map((title) => colors.dim(title)),
    colAligns: aligns,
    chars: PLAIN,
    style: { head: [], border: [], 'padding-left': 0, 'padding-right': 2, compact: true },
  });
  for (const row of rows) table.push(row.map((cell) => (cell === null || cell === undefined ? '-' : String(cell))));
  return table
    .toString()
    .split('\n')
    .map((line) => line.trimEnd())
    .join('\n');
}

function isFigure(cell: Row[number]): boolean {
  return cell === null || cell === undefined || typeof cell === 'number' || /^[\d.,]+( ?%)?$/.test(cell);
}

const PLAIN = Object.fromEntries(
  ['top', 'bottom', 'left', 'right', 'mid', 'middle']
    .flatMap((side) => [side, `${side}-mid`, `${side}-left`, `${side}-right`])
    .map((place) => [place, '']),
);

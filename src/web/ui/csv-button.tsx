import { type Cell, toCsv } from './csv.ts';
import { download } from './download.ts';

interface CsvButtonProps {
  /** Of what; the file is named for it. */
  readonly title: string;
  readonly headings: readonly string[];
  readonly rows: readonly (readonly Cell[])[];
}

/** Hands the viewer a table as a file. */
export function CsvButton({ title, headings, rows }: CsvButtonProps) {
  const file = `${title.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')}.csv`;
  return (
    <button type="button" className="button quiet" onClick={() => download(file, toCsv(headings, rows))}>
      CSV
    </button>
  );
}

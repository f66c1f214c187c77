import { type ReactNode, useId, useState } from 'react';
import { ChartBody } from './chart-body.tsx';
import type { Cell } from './csv.ts';
import { CsvButton } from './csv-button.tsx';

interface ChartFrameProps {
  readonly title: string;
  /** Of when it is, or from where. */
  readonly note?: ReactNode;
  /** What it shows in a sentence, for those who hear it. */
  readonly summary: string;
  /** The same as the chart, as a table. */
  readonly headings: readonly string[];
  readonly rows: readonly (readonly Cell[])[];
  /** Whether what it shows is about to be replaced; not unless told. */
  readonly isBusy?: boolean;
  readonly children: ReactNode;
}

/** A chart that can also be read as a table, and taken away as CSV. */
export function ChartFrame({ title, note, summary, headings, rows, isBusy = false, children }: ChartFrameProps) {
  const id = useId();
  const [isTable, setTable] = useState(false);
  return (
    <figure className="chart" aria-labelledby={id} aria-busy={isBusy}>
      <figcaption className="chart-bar">
        <h2 id={id}>{title}</h2>
        <span className="age">{note}</span>
        <span className="spread" />
        <button type="button" className="button quiet" aria-pressed={isTable} onClick={() => setTable(!isTable)}>
          Table
        </button>
        <CsvButton {...{ title, headings, rows }} />
      </figcaption>
      {isTable ? (
        <PlainTable headings={headings} rows={rows} label={title} />
      ) : (
        <>
          <p className="hidden">{summary}</p>
          <ChartBody label={title}>{children}</ChartBody>
        </>
      )}
    </figure>
  );
}

interface PlainTableProps {
  readonly label: string;
  readonly headings: readonly string[];
  readonly rows: readonly (readonly ReactNode[])[];
  /** Columns whose figures stand under each other. */
  readonly numbers?: readonly number[];
}

/** A short table, drawn whole. */
export function PlainTable({ label, headings, rows, numbers = [] }: PlainTableProps) {
  const kind = (column: number) => (numbers.includes(column) ? 'number' : '');
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by the keyboard
    <section className="plain-scroll" aria-label={label} tabIndex={0}>
      <table className="plain">
        <thead>
          <tr>
            {headings.map((heading, column) => (
              <th key={heading} scope="col" className={kind(column)}>
                {heading}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: rows have nothing else that is their own
            <tr key={index}>
              {headings.map((heading, column) => (
                <td key={heading} className={kind(column)}>
                  {row[column]}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

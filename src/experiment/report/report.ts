import type { ExperimentResult, ExperimentRow } from '../experiment.ts';

/** A result as JSON text, one shape for all experiments. */
export function toJson(result: ExperimentResult): string {
  return `${JSON.stringify(result, null, 2)}\n`;
}

/** A result as CSV: comment lines with what it was computed from, then a line a row. */
export function toCsv(result: ExperimentResult): string {
  const metrics = metricsOf(result.rows);
  const lines = [
    ...provenance(result).map(([name, value]) => `# ${name}: ${value}`),
    ...result.notes.map((note) => `# note: ${note}`),
    ['name', ...metrics].join(','),
    ...result.rows.map((row) => [row.name, ...metrics.map((metric) => cell(row[metric]))].map(quoted).join(',')),
  ];
  return `${lines.join('\n')}\n`;
}

/** Every metric that some row has, in the order in which they first come. */
export function metricsOf(rows: readonly ExperimentRow[]): string[] {
  return [...new Set(rows.flatMap((row) => Object.keys(row)))].filter((key) => key !== 'name');
}

/** One table of a result: rows that have some of its metrics. */
export interface ReportTable {
  /** Null for the only one. */
  readonly title: string | null;
  readonly metrics: readonly string[];
  readonly rows: readonly ExperimentRow[];
}

/**
 * The tables a result is shown in, or one of everything where it names none. Tables, metrics and rows that have nothing
 * to show are left out.
 */
export function tablesOf({ rows, tables }: ExperimentResult): ReportTable[] {
  const all = metricsOf(rows);
  if (tables.length === 0) return [{ title: null, metrics: all, rows }];
  return tables.flatMap(({ title, metrics }) => {
    const shown = metrics.filter((metric) => all.includes(metric));
    if (shown.length === 0) return [];
    return { title, metrics: shown, rows: rows.filter((row) => shown.some((metric) => row[metric] !== undefined)) };
  });
}

/** What a result was computed from, name and value, to be shown with every output. */
export function provenance(result: ExperimentResult): [string, string][] {
  const { experiment, trace, jobs, range, seed, parameters } = result;
  return [
    ['experiment', experiment],
    ['trace', trace],
    ['jobs', `${jobs} (${range.from} to ${range.to - 1})`],
    ['seed', String(seed)],
    ...Object.entries(parameters).map(([name, value]): [string, string] => [`parameter ${name}`, String(value)]),
  ];
}

function cell(value: number | string | undefined): string {
  return value === undefined ? '' : String(value);
}

function quoted(value: string): string {
  return /[",\n]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value;
}

import type { BenchRow } from '../bench/bench.ts';
import { BENCHES } from '../bench/registry.ts';
import { CliFailure, EXIT } from '../failure.ts';
import { startProgress } from '../render/progress.ts';
import { renderTable } from '../render/table.ts';
import type { Session } from '../session.ts';
import { untilSignal } from './until-signal.ts';

const DEFAULT_SECONDS = 10;

/** `gridcast bench [NAMES...]` */
export async function runBench(
  { output }: Session,
  options: { seconds?: number; redis?: boolean; traces?: string; slurm?: string[]; sites?: number[]; all?: boolean },
  ...names: string[]
): Promise<void> {
  const benches = await Promise.all([...BENCHES.values()].map((load) => load()));
  const wanted = options.all ? benches.map(({ name }) => name) : names.filter((name) => name !== undefined);
  if (wanted.length === 0) {
    const known = benches.map(({ name, describe }) => ({ name, describe }));
    output.result(known, () =>
      renderTable(
        ['bench', 'measures'],
        known.map(({ name, describe }) => [name, describe]),
      ),
    );
    return;
  }
  const unknown = wanted.filter((name) => !BENCHES.has(name));
  if (unknown.length > 0) {
    throw new CliFailure(`no bench ${unknown.join(', ')}`, EXIT.usage, `there are: ${[...BENCHES.keys()].join(', ')}`);
  }
  // What a bench has started ends with this process, if it ends by itself.
  void untilSignal().then(() => process.exit(EXIT.cancelled));
  const results: { name: string; rows: readonly BenchRow[] }[] = [];
  for (const bench of benches.filter(({ name }) => wanted.includes(name))) {
    const progress = startProgress(bench.name, 100, output.json);
    const rows = await bench.run({
      seconds: options.seconds ?? DEFAULT_SECONDS,
      redis: options.redis ?? false,
      traces: options.traces ?? null,
      slurm: options.slurm ?? [],
      sites: options.sites ?? [],
      onProgress: (done, total, note) => progress.update(Math.floor((done / total) * 100), note),
    });
    progress.stop();
    results.push({ name: bench.name, rows });
  }
  output.result(results, () => results.map(({ name, rows }) => `${name}\n${renderRows(rows)}`).join('\n\n'));
}

function renderRows(rows: readonly BenchRow[]): string {
  const head = Object.keys(rows[0] ?? {});
  return renderTable(
    head,
    rows.map((row) => head.map((name) => row[name])),
  );
}

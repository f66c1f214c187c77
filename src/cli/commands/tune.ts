import type { PartsComputer } from '../../experiment/run/part-threads.ts';
import { type Tuned, tunePredictor } from '../../experiment/tune/tune.ts';
import { assertReadable, assertWritable, writeGiven } from '../files.ts';
import { startProgress } from '../render/progress.ts';
import { renderTable } from '../render/table.ts';
import type { Session } from '../session.ts';
import { readable } from './offline.ts';
import { type WorkersOptions, withWorkers } from './with-workers.ts';

interface TuneCommandOptions extends WorkersOptions {
  readonly trace: readonly string[];
  readonly every: number;
  readonly json?: boolean | string;
}

/** `gridcast tune PREDICTOR` */
export async function runTune({ output }: Session, options: TuneCommandOptions, predictor: string): Promise<void> {
  const file = typeof options.json === 'string' ? options.json : undefined;
  assertWritable(file);
  for (const trace of options.trace) assertReadable(trace, 'log');
  const progress = startProgress(`tune ${predictor}`, 100, output.json);
  const compute = (computer: PartsComputer | undefined) =>
    tunePredictor(predictor, {
      ...(computer && { computer }),
      traces: options.trace,
      every: options.every,
      onProgress: (done, total, note) => progress.update(done, note, total),
    });
  const tuned = await readable(() => withWorkers(options, compute)).finally(() => progress.stop());
  if (file) writeGiven(file, `${JSON.stringify(tuned, null, 2)}\n`);
  output.result(tuned, () => [renderTuned(tuned), ...(file ? [`written to ${file}`] : [])].join('\n\n'));
}

function renderTuned({ predictor, parameters, every, tunedOn }: Tuned): string {
  const changed = Object.entries(parameters).map(([name, value]) => `${name} = ${value}`);
  const rows = tunedOn.map(({ trace, validation, aaeHoursBefore, aaeHoursAfter }) => [
    trace,
    validation,
    aaeHoursBefore,
    aaeHoursAfter,
  ]);
  const sample = every === 1 ? '' : `, every ${every} jobs`;
  return [
    `${predictor}: ${changed.length === 0 ? 'its own parameters are the best of those tried' : changed.join(', ')}`,
    renderTable(['log', 'validation jobs', `AAE, hours, before${sample}`, 'after'], rows),
  ].join('\n\n');
}

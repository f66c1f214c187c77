import { type SimulateTraceOptions, simulateTrace } from '../../experiment/simulate.ts';
import { POLICY_NAMES, TIE_RULES } from '../../sim/policy.ts';
import { assertWritable, unwritten } from '../files.ts';
import { percent } from '../render/objects.ts';
import { startProgress } from '../render/progress.ts';
import { renderTable } from '../render/table.ts';
import type { Session } from '../session.ts';
import { knownName, rangeOf, readable, type SourceOptions, sourceOf } from './offline.ts';

interface SimulateOptions extends SourceOptions {
  readonly policy: string;
  readonly ties: string;
  readonly csv?: string;
}

/** `gridcast simulate [--trace FILE]` */
export async function runSimulate({ output }: Session, options: SimulateOptions): Promise<void> {
  const { trace } = options;
  assertWritable(options.csv);
  const range = rangeOf(options);
  const told: SimulateTraceOptions = {
    source: sourceOf(options),
    policy: knownName('policy', options.policy, POLICY_NAMES),
    ties: knownName('ties', options.ties, TIE_RULES),
    ...(options.processors !== undefined && { processors: options.processors }),
    ...(trace !== undefined && range && { range }),
    ...(options.csv && { csv: options.csv }),
  };
  const progress = startProgress('jobs', 100, output.json);
  const onProgress = (done: number, total: number) => progress.update(done, 'jobs', total);
  const report = await readable(() => simulateTrace({ ...told, onProgress }))
    .catch((error: unknown) => {
      throw options.csv === undefined ? error : unwritten(options.csv, error);
    })
    .finally(() => progress.stop());
  output.result(report, () => {
    const figures = [
      report.trace,
      report.policy,
      report.processors,
      report.jobs,
      report.meanWaitSeconds.toFixed(2),
      report.meanBoundedSlowdown.toFixed(2),
      percent(report.utilization),
      report.makespanSeconds,
    ];
    const head = [
      'trace',
      'policy',
      'processors',
      'jobs',
      'mean wait s',
      'bounded slowdown',
      'utilization',
      'makespan s',
    ];
    const remarks = report.remarks.map(({ reason, count }) => `${count} x ${reason}`);
    return [renderTable(head, [figures]), ...remarks].join('\n');
  });
}

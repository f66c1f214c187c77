import { KEY_TYPES } from '../../predict/runtime/like-jobs-shares.ts';
import { WorkloadError } from '../../sim/workload-error.ts';
import type { Experiment, ExperimentRow, Parameters, PartInput } from '../experiment.ts';
import { MODES } from './adjusted-schedule.ts';
import { createAdjuster } from './adjustments.ts';
import { PASTS } from './along-log.ts';
import { QUEUES } from './comparison.ts';
import { easyPart } from './easy-part.ts';
import { ESTIMATE_METRICS } from './estimate-metrics.ts';
import { estimatePart } from './estimate-part.ts';
import { SCHEDULE_METRICS, schedulePart } from './schedule-part.ts';
import { SCHEME_TABLES, schemePart } from './scheme-part.ts';
import { walltimeNotes, walltimePaperRows } from './walltime-paper.ts';

/** The three that the paper schedules with. */
const SCHEMES = [95, 85, 70].map((percentile) => `runtime/adjusted-walltime:${percentile}`);

/** Everything that can be computed apart, by its name. */
const PARTS: ReadonlyMap<string, (input: PartInput) => ExperimentRow[]> = new Map([
  ['estimates', estimatePart],
  ...KEY_TYPES.map((key) => [`scheme/${key}`, (input: PartInput) => schemePart(key, input)] as const),
  ...QUEUES.flatMap((queue) =>
    MODES.map((mode) => [`${queue}/${mode}`, (input: PartInput) => schedulePart(queue, mode, input)] as const),
  ),
  ['easy', easyPart],
]);

/**
 * Walltimes adjusted by what jobs used, and what comes of scheduling with them: figures 4 to 10 and 13 to 17 of Tang et
 * al. 2013, with any runtime predictor's percentile in place of the paper's, and EASY with predicted runtimes.
 */
export const walltimeExperiment: Experiment = {
  name: 'walltime',
  describe: 'walltimes adjusted by what jobs used, and the waits when they are scheduled with (Tang et al. 2013)',
  parameters: {
    parts: [...PARTS.keys()].join(','),
    adjustments: [...SCHEMES, 'runtime/recent-use:85', 'runtime/gridcast:85'].join(','),
    runtimes: 'runtime/recent-use,runtime/gridcast',
    settings: '',
    past: PASTS[0],
    scoredShare: 0.4,
    shakes: 1,
    processors: 0,
  },
  parts(parameters) {
    const { parts, adjustments, runtimes, settings } = parameters;
    for (const name of `${adjustments},${runtimes}`.split(',')) createAdjuster(name, String(settings));
    assertParameters(parameters);
    return String(parts).split(',').map(partNamed);
  },
  runPart(part, input) {
    const { columns, length, name } = input.workload;
    if (!columns.requestedSeconds.subarray(0, length).some((seconds) => seconds > 0)) {
      throw new WorkloadError(name, null, 'no job of it says how long it asks to run, so no walltime can be adjusted');
    }
    return PARTS.get(part)?.(input) ?? [];
  },
  paperRows: walltimePaperRows,
  notes: walltimeNotes,
  tables: [
    { title: 'waits', metrics: SCHEDULE_METRICS },
    { title: 'estimates', metrics: ESTIMATE_METRICS },
    ...SCHEME_TABLES,
  ],
};

function assertParameters({ past, shakes, scoredShare }: Parameters): void {
  if (!PASTS.some((name) => name === past)) {
    throw new RangeError(`parameter past is ${past}; there are ${PASTS.join(', ')}`);
  }
  if (!(Number.isInteger(shakes) && Number(shakes) >= 1)) {
    throw new RangeError(`parameter shakes must be a whole number from 1, not ${shakes}`);
  }
  if (!(Number(scoredShare) > 0 && Number(scoredShare) <= 1)) {
    throw new RangeError(`parameter scoredShare must be above 0 and at most 1, not ${scoredShare}`);
  }
}

function partNamed(name: string): string {
  if (PARTS.has(name)) return name;
  throw new RangeError(`walltime has no part ${name}; it has ${[...PARTS.keys()].join(', ')}`);
}

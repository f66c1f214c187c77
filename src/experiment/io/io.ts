import { READ_BYTES, WRITTEN_BYTES } from '../../predict/quantities.ts';
import { createPredictor } from '../../predict/registry.ts';
import type { Workload } from '../../sim/workload.ts';
import { WorkloadError } from '../../sim/workload-error.ts';
import type { Experiment, ExperimentRow, Parameters, PartInput } from '../experiment.ts';
import { scriptedRecords } from '../look-ahead/scripted-records.ts';
import { machineOf } from '../simulate.ts';
import { settingsFor } from '../told-settings.ts';
import { type Knowledge, knowledgeNamed } from '../turnaround/knowledge.ts';
import { type BytesOfJobs, foreseenIo } from './foreseen-io.ts';
import { ioNotes, ioPaperRows } from './io-paper.ts';
import { ioFigures, ioRow, PRECISIONS, SENSITIVITIES, THRESHOLDS, type Threshold } from './io-score.ts';

/** Of turnarounds: those of the simulation itself. */
const PERFECT = 'perfect';
/** Of bytes: those of the records. */
const TRUE = 'true';
const AND = ' & ';

/** How well the bandwidth of a site and its bursts are foreseen: section 4.3 of wyatt-prionn. */
export const ioExperiment: Experiment = {
  name: 'io',
  describe:
    'how well the IO of a site and its bursts are foreseen, on generated scripts (figures 12-15 of wyatt-prionn)',
  parameters: {
    turnarounds: [PERFECT, 'baseline/requested', 'runtime/gridcast*16'].join(','),
    bytes: ['io/gridcast', TRUE].join(','),
    history: 2000,
    threshold: 'whole',
    certainty: 0.5,
    settings: '',
    processors: 0,
  },
  parts(parameters) {
    const { turnarounds, bytes, history, threshold, certainty } = parameters;
    if (!Number.isInteger(history) || Number(history) < 0) {
      throw new RangeError(`parameter history must be a whole number from 0, not ${history}`);
    }
    if (!THRESHOLDS.some((one) => one === threshold)) {
      throw new RangeError(`parameter threshold must be one of ${THRESHOLDS.join(', ')}, not ${threshold}`);
    }
    if (!(Number(certainty) > 0 && Number(certainty) <= 1)) {
      throw new RangeError(`parameter certainty must be above 0 and at most 1, not ${certainty}`);
    }
    const names = String(turnarounds)
      .split(',')
      .flatMap((turnaround) =>
        String(bytes)
          .split(',')
          .map((io) => turnaround + AND + io),
      );
    for (const name of names) methodsOf(name, parameters, 1);
    return names;
  },
  runPart: rowsOf,
  paperRows: ioPaperRows,
  notes: ioNotes,
  tables: [
    {
      title: 'bandwidth by the minute (generated scripts)',
      metrics: [
        'meanAccuracy',
        'medianAccuracy',
        'minutes',
        'burstMinutes',
        'foreseenBurstMinutes',
        'levelBytesPerSecond',
      ],
    },
    { title: 'sensitivity by window in minutes (generated scripts)', metrics: SENSITIVITIES },
    { title: 'precision by window in minutes (generated scripts)', metrics: PRECISIONS },
  ],
};

/** Who says when jobs run, and what they read and write. */
function methodsOf(
  part: string,
  { settings: told }: Parameters,
  seed: number,
): { readonly knowledge: Knowledge | null; readonly bytes: BytesOfJobs } {
  const [turnaround = '', io = ''] = part.split(AND);
  const settings = String(told);
  const own = settingsFor(io, settings);
  return {
    knowledge: turnaround === PERFECT ? null : knowledgeNamed(turnaround, { settings, seed }),
    bytes:
      io === TRUE
        ? null
        : { read: createPredictor(READ_BYTES, io, own), written: createPredictor(WRITTEN_BYTES, io, own) },
  };
}

function rowsOf(part: string, { workload, parameters, seed, onProgress, onFigure }: PartInput): ExperimentRow[] {
  const { submitAt } = workload.columns;
  const history = Number(parameters.history);
  const [firstAt, fromAt, toAt] = [0, history, workload.length - 1].map((job) => submitAt[job] ?? Number.NaN) as Times;
  if (!(toAt > fromAt)) {
    throw new WorkloadError(
      workload.name,
      null,
      `it has ${workload.length} jobs, none after the first ${history} (history)`,
    );
  }
  const { actual, foreseen } = foreseenIo(workload, {
    ...methodsOf(part, parameters, seed),
    processors: machineOf(workload, Number(parameters.processors) || undefined),
    records: scriptedRecords(workload, seed),
    slots: { fromAt: firstAt, slotSeconds: MINUTE_SECONDS, count: minutes(toAt - firstAt) },
    onProgress,
  });
  const series = {
    actual: actual.totals(),
    foreseen: foreseen.map((course) => course.totals()),
    fromMinute: minutes(fromAt - firstAt),
    knownAfterMinutes: minutes(longestSeconds(workload)),
  };
  const rule = { threshold: parameters.threshold as Threshold, certainty: Number(parameters.certainty) };
  const row = ioRow(part, series, rule);
  for (const figure of ioFigures(row)) onFigure?.(figure);
  return [row];
}

type Times = [number, number, number];

const MINUTE_SECONDS = 60;

function minutes(seconds: number): number {
  return Math.ceil(seconds / MINUTE_SECONDS);
}

/** No job of a log runs longer. */
function longestSeconds({ columns, length }: Workload): number {
  let longest = 0;
  for (let job = 0; job < length; job++) {
    longest = Math.max(longest, columns.requestedSeconds[job] as number, columns.runSeconds[job] as number);
  }
  return longest;
}

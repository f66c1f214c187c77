import { SLOTS_PER_HOUR, SLOTS_PER_WEEK } from '../../predict/load/slots.ts';
import { LOAD_SLOT_SECONDS } from '../../predict/load/slotwise-load.ts';
import { toRecords } from '../../sim/records.ts';
import { WorkloadError } from '../../sim/workload-error.ts';
import type { Experiment, ExperimentRow, Figure, PartInput } from '../experiment.ts';
import { PAPER_LOAD_NOTES, paperLoadRows } from './load-paper.ts';
import { type LoadQuestion, replayLoad } from './load-replay.ts';
import { LOAD_LEVELS } from './load-score.ts';
import { type LoadSeries, seriesOf } from './load-series.ts';
import { type LoadSplit, splitOf } from './load-split.ts';
import { LoadTally } from './load-tally.ts';
import { createLoadVariant, LOAD_VARIANTS } from './load-variants.ts';

/** Table II of dinh-per-user-workload-prediction on any log, with methods of our own and spreads hours ahead. */
export const loadExperiment: Experiment = {
  name: 'load',
  describe: 'how well arriving load is forecast, slot by slot (Table II of dinh-per-user-workload-prediction)',
  parameters: { predictors: LOAD_VARIANTS.join(','), smoothing: 6 },
  parts: ({ predictors }) => String(predictors).split(','),
  runPart: (part, input) => runLoad(part, input),
  paperRows: paperLoadRows,
  notes: () => PAPER_LOAD_NOTES,
  tables: [
    {
      title: 'Table II',
      metrics: ['mse', 'mae', 'smoothedMse', 'smoothedMae', 'meanExpected', 'meanProcessors', 'split'],
    },
    {
      title: 'share of hours within each level, next hour',
      metrics: LOAD_LEVELS.map((level) => `coverage${level}NextHour`),
    },
    {
      title: 'share of hours within each level, 2 to 24 hours ahead',
      metrics: LOAD_LEVELS.map((level) => `coverage${level}Day`),
    },
    { title: 'error of an hour', metrics: ['maeNextHour', 'maeDay'] },
  ],
};

const NEXT_SLOT: LoadQuestion = { slots: 1, slotSeconds: LOAD_SLOT_SECONDS[0] as number, everySlots: 1 };
const DAY_AHEAD: LoadQuestion = { slots: 24, slotSeconds: LOAD_SLOT_SECONDS[1] as number, everySlots: SLOTS_PER_HOUR };

function runLoad(part: string, { workload, parameters, onProgress, onFigure }: PartInput): ExperimentRow[] {
  const records = toRecords(workload);
  if (records.length === 0) throw new WorkloadError(workload.name, null, 'no job of it has a size');
  const series = seriesOf(records);
  const split = splitOf(series.processors.length);
  if (split.trainingSlots === 0) throw new WorkloadError(workload.name, null, 'it is too short to teach and to score');
  const tally = new LoadTally(series, split, Number(parameters.smoothing));
  const predictor = createLoadVariant(part, split.trainingSlots);
  for (const { slot, told, question, forecast } of replayLoad(predictor, records, split, [NEXT_SLOT, DAY_AHEAD])) {
    if (question === NEXT_SLOT) tally.addSlot(slot, forecast);
    else {
      tally.addHours(slot, forecast);
      onProgress(told);
    }
  }
  onFigure?.(weekFigure(part, series, split, tally.expected));
  return [tally.row(part)];
}

/** Processors asked for and expected, hour by hour, over the first whole week that is scored. */
function weekFigure(name: string, series: LoadSeries, split: LoadSplit, expected: Float64Array): Figure {
  const from = split.trainingSlots;
  return {
    title: 'Load over a week',
    x: 'hours since the first scored slot',
    y: 'processors asked for in the hour',
    series: [
      { name: 'asked for', points: hourlyPoints(series.processors, from) },
      { name, points: hourlyPoints(expected, from) },
    ],
  };
}

function hourlyPoints(slots: Float64Array, from: number): (readonly [number, number])[] {
  const week = slots.subarray(from, from + SLOTS_PER_WEEK);
  return Array.from({ length: Math.floor(week.length / SLOTS_PER_HOUR) }, (_, hour) => [
    hour,
    week.subarray(hour * SLOTS_PER_HOUR, (hour + 1) * SLOTS_PER_HOUR).reduce((sum, value) => sum + value, 0),
  ]);
}

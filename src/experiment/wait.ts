import type { WaitForecast } from '../domain/forecast.ts';
import type { JobRecord } from '../domain/job.ts';
import { createWaitPredictor, WAIT_PREDICTORS } from '../predict/registry.ts';
import { COVERAGE_LEVELS, WAIT_CLASS_ENDS_SECONDS, type WaitScore, WaitScorer } from '../predict/wait-scores.ts';
import { toRecords } from '../sim/records.ts';
import type { Experiment, ExperimentRow } from './experiment.ts';
import { machineOf } from './simulate.ts';
import { settingsFor } from './told-settings.ts';
import { PAPER_TEST_SET, pickWaitJobs, UNCOMPLETED_JOBS, type UncompletedJobs } from './wait-jobs.ts';
import { replayWaits } from './wait-replay.ts';

/**
 * How well waits are forecast at submission: Table V and figure 5 of hariharan-end-to-end-predictions, and how often each bound held.
 * Jobs before the scored range only teach.
 */
export const waitExperiment: Experiment = {
  name: 'wait',
  describe: 'how well queue waits are forecast, by every predictor (Table V of hariharan-end-to-end-predictions)',
  parameters: {
    predictors: [...WAIT_PREDICTORS.keys()].join(','),
    scored: PAPER_TEST_SET,
    uncompleted: 'scored',
    every: 1,
    settings: '',
    snapshotSeconds: 300,
    processors: 0,
  },
  parts: ({ predictors }) => String(predictors).split(','),
  runPart(part, { workload, parameters, onProgress }) {
    const predictor = createWaitPredictor(part, settingsFor(part, String(parameters.settings)));
    const jobs = pickWaitJobs(
      toRecords(workload),
      String(parameters.scored),
      uncompletedJobs(String(parameters.uncompleted)),
      Number(parameters.every),
    );
    const scorers = new Map([[predictor.name, new WaitScorer()]]);
    if (predictor.name === 'wait/qbets') scorers.set('wait/qbets/bound95', new WaitScorer());
    replayWaits(predictor, jobs, {
      snapshotSeconds: Number(parameters.snapshotSeconds),
      processors: machineOf(workload, Number(parameters.processors) || undefined),
      onForecast: (forecast, record) => score(scorers, forecast, record),
      onProgress,
    });
    return [...scorers].map(([name, scorer]) => rowOf(name, scorer.score()));
  },
  paperRows: (trace) => {
    const [, paper] = PAPER_ROWS.find(([log]) => trace.startsWith(log)) ?? [];
    return (paper ?? []).map(([name, scaledAae, aaeHours]) => ({ name: `paper/${name}`, aaeHours, scaledAae }));
  },
};

function uncompletedJobs(text: string): UncompletedJobs {
  const known = UNCOMPLETED_JOBS.find((name) => name === text);
  if (!known) throw new RangeError(`parameter uncompleted is ${text}; there are ${UNCOMPLETED_JOBS.join(', ')}`);
  return known;
}

/** Adds a forecast to every scorer; for QBETS its bound as a point, too, as the paper does. */
function score(scorers: ReadonlyMap<string, WaitScorer>, forecast: WaitForecast, record: JobRecord): void {
  if (record.startAt === null) return;
  const runSeconds = record.endAt === null ? null : record.endAt - record.startAt;
  for (const [name, scorer] of scorers) {
    const pointSeconds = name.endsWith('/bound95') ? (forecast.quantileSeconds[94] ?? 0) : forecast.pointSeconds;
    scorer.add({ ...forecast, pointSeconds }, record.startAt - record.submitAt, runSeconds);
  }
}

function rowOf(name: string, score: WaitScore): ExperimentRow {
  const row: Record<string, number> = {
    aaeHours: hours(score.averageAbsoluteErrorSeconds),
    scaledAae: rounded(score.scaledAverageAbsoluteError, 2),
  };
  score.classes.forEach(({ averageAbsoluteErrorSeconds }, i) => {
    row[`aaeBelow${WAIT_CLASS_ENDS_SECONDS[i]}sHours`] = hours(averageAbsoluteErrorSeconds);
  });
  for (const level of COVERAGE_LEVELS) {
    row[`coverage${level * 100}`] = rounded(score.coverage.find((one) => one.level === level)?.share ?? null, 4);
  }
  row.medianBound95Hours = hours(score.coverage.find(({ level }) => level === 0.95)?.medianBoundSeconds ?? null);
  row.medianWaitHours = hours(score.medianWaitSeconds);
  row.pinballHours = hours(score.pinballLossSeconds);
  row.brier = rounded(score.brierScore, 4);
  return { name, jobs: score.count, unanswered: score.unansweredCount, ...row };
}

function hours(seconds: number | null): number {
  return rounded(seconds === null ? null : seconds / 3600, 2);
}

function rounded(value: number | null, digits: number): number {
  return value === null ? Number.NaN : Math.round(value * 10 ** digits) / 10 ** digits;
}

/** Table V: predictor, scaled AAE, AAE in hours. */
const PAPER_ROWS: readonly (readonly [string, readonly (readonly [string, number, number])[]])[] = [
  [
    'ANL-Intrepid',
    [
      ['qbets', 35.15, 25.87],
      ['ibl', 0.93, 5.68],
      ['apq', 0.55, 4.52],
    ],
  ],
  [
    'HPC2N',
    [
      ['qbets', 3020.44, 30.99],
      ['ibl', 40.82, 7.65],
      ['apq', 23.29, 5.97],
    ],
  ],
  [
    'SDSC-Par',
    [
      ['qbets', 1078.39, 14.99],
      ['ibl', 6.63, 0.88],
      ['apq', 2.87, 0.69],
    ],
  ],
  [
    'SDSC-SP2',
    [
      ['qbets', 391.61, 44.37],
      ['ibl', 51.48, 9.42],
      ['apq', 11.81, 7.84],
    ],
  ],
];

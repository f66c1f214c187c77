import type { WaitForecast } from '../../domain/forecast.ts';
import type { JobRecord } from '../../domain/job.ts';
import { WAIT_PREDICTORS } from '../../predict/registry.ts';
import { COVERAGE_LEVELS } from '../../predict/spread-scorer.ts';
import { WAIT_CLASS_ENDS_SECONDS, type WaitScore, WaitScorer } from '../../predict/wait-scores.ts';
import { toRecords } from '../../sim/records.ts';
import type { Experiment, ExperimentRow } from '../experiment.ts';
import { hours, rounded } from '../report/rounded.ts';
import { machineOf } from '../simulate.ts';
import { toldPredictor } from '../told-settings.ts';
import { waitFigures } from './wait-figures.ts';
import { PAPER_TEST_SET, pickWaitJobs, UNCOMPLETED_JOBS, type UncompletedJobs } from './wait-jobs.ts';
import { paperNotesOf, paperRowsOf } from './wait-paper.ts';
import { replayWaits } from './wait-replay.ts';

/**
 * AAE in hours of the jobs that waited less than 100 s, then less than 1,000 s and so on, and of those above (figure
 * 5).
 */
const WAIT_CLASS_METRICS = WAIT_CLASS_ENDS_SECONDS.map((end, i) =>
  Number.isFinite(end) ? `aaeBelow${end}sHours` : `aaeFrom${WAIT_CLASS_ENDS_SECONDS[i - 1]}sHours`,
);
const COVERAGE_METRICS = COVERAGE_LEVELS.map((level) => `coverage${level * 100}`);

/**
 * How well waits are forecast at submission: Table V and figure 5 of hariharan-end-to-end-predictions, and how often
 * each bound held. Jobs before the scored range only teach.
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
  runPart(part, { workload, parameters, onProgress, onFigure }) {
    const predictor = toldPredictor(part, parameters);
    const jobs = pickWaitJobs(
      toRecords(workload),
      String(parameters.scored),
      uncompletedJobs(String(parameters.uncompleted)),
      Number(parameters.every),
    );
    const scorers = new Map([[part, new WaitScorer()]]);
    if (predictor.name === 'wait/qbets') scorers.set('wait/qbets/bound95', new WaitScorer());
    replayWaits(predictor, jobs, {
      snapshotSeconds: Number(parameters.snapshotSeconds),
      processors: machineOf(workload, Number(parameters.processors) || undefined),
      onForecast: (forecast, record) => score(scorers, forecast, record),
      onProgress,
    });
    const scores = [...scorers].map(([name, scorer]) => [name, scorer.score()] as const);
    for (const figure of waitFigures(scores)) onFigure?.(figure);
    return scores.map(([name, score]) => ({ ...rowOf(name, score), scored: `${jobs.first}-${jobs.last}` }));
  },
  paperRows: paperRowsOf,
  notes: paperNotesOf,
  tables: [
    { title: 'Table V', metrics: ['aaeHours', 'scaledAae', 'jobs', 'unanswered', 'scored'] },
    { title: 'AAE by class of the wait', metrics: WAIT_CLASS_METRICS },
    {
      title: 'share of waits within each level',
      metrics: [...COVERAGE_METRICS, 'medianBound95Hours', 'medianWaitHours', 'pinballHours', 'brier'],
    },
  ],
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
  const row: Record<string, number | null> = {
    aaeHours: hours(score.averageAbsoluteErrorSeconds),
    scaledAae: rounded(score.scaledAverageAbsoluteError, 2),
  };
  score.classes.forEach(({ averageAbsoluteErrorSeconds }, i) => {
    row[WAIT_CLASS_METRICS[i] as string] = hours(averageAbsoluteErrorSeconds);
  });
  COVERAGE_LEVELS.forEach((level, i) => {
    const share = score.coverage.find((one) => one.level === level)?.share ?? null;
    row[COVERAGE_METRICS[i] as string] = rounded(share, 4);
  });
  row.medianBound95Hours = hours(score.coverage.find(({ level }) => level === 0.95)?.medianBoundSeconds ?? null);
  row.medianWaitHours = hours(score.medianWaitSeconds);
  row.pinballHours = hours(score.pinballLossSeconds);
  row.brier = rounded(score.brierScore, 4);
  const known = Object.entries(row).filter((entry): entry is [string, number] => entry[1] !== null);
  return { name, jobs: score.count, unanswered: score.unansweredCount, ...Object.fromEntries(known) };
}

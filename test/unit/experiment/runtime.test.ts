import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { RuntimeForecast } from '../../../src/domain/forecast.ts';
import { runExperiment } from '../../../src/experiment/run/run-experiment.ts';
import { RangeScorer } from '../../../src/experiment/runtime/range-scorer.ts';
import { RUNTIME_PREDICTORS } from '../../../src/predict/runtime-registry.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'gridcast-runtime-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

/** A job of a log: submission, wait, runtime, requested walltime, status (1 completed, 0 failed, 5 cancelled), user. */
type Job = readonly [submitAt: number, wait: number, ran: number, requested: number, status: number, user: number];

function writeLog(jobs: readonly Job[]): string {
  const lines = jobs.map(
    ([submitAt, wait, ran, requested, status, user], i) =>
      `${i + 1} ${submitAt} ${wait} ${ran} 4 -1 -1 4 ${requested} -1 ${status} ${user} 1 -1 1 -1 -1 -1`,
  );
  const path = join(folder, 'log.swf');
  writeFileSync(path, `; MaxProcs: 64\n${lines.join('\n')}\n`);
  return path;
}

async function rowsOf(jobs: readonly Job[], predictors: string, scored = `0-${jobs.length - 1}`) {
  const { rows } = await runExperiment('runtime', {
    source: { trace: writeLog(jobs) },
    parameters: { predictors, scored },
  });
  return new Map(rows.map(({ name, ...row }) => [name, row]));
}

/** The second job comes while the first runs, the third when it has ended; the fourth outruns its walltime. */
const FEW: readonly Job[] = [
  [0, 0, 500, 1000, 1, 1],
  [100, 0, 300, 1000, 0, 1],
  [600, 0, 100, 2000, 1, 1],
  [5000, 0, 900, 800, 1, 1],
  [9000, 50, -1, 1000, 5, 1],
  [20_000, 0, 10, 1000, 5, 2],
];

test('every job that ran is scored, whatever its status; rules are told only of jobs that have ended', async () => {
  const rows = await rowsOf(FEW, 'baseline/alea,baseline/requested,baseline/alea/peeking');
  const errors = [500, 700, 2000 * 0.5 - 100, 900 - 800 * 0.5, 990];
  expect(rows.get('baseline/alea')).toMatchObject({ jobs: 5, unanswered: 0, underestimatedShare: 1 / 5 });
  expect(rows.get('baseline/alea')?.maeSeconds).toBeCloseTo(errors.reduce((sum, error) => sum + error, 0) / 5, 1);
  expect(rows.get('baseline/alea')?.medianAbsoluteErrorSeconds).toBe(700);
  expect(rows.get('baseline/requested')?.maeSeconds).toBeCloseTo((500 + 700 + 1900 + 100 + 990) / 5, 1);
});

test('the peeking row is told runtimes at submission, and counts jobs that never ran as the board does', async () => {
  const rows = await rowsOf(FEW, 'baseline/alea/peeking');
  const errors = [500, 1000 * 0.5 - 300, 2000 * 0.5 - 100, 900 - 800 * 0.5, 1000 * 1.125 - 0, 990];
  expect(rows.get('baseline/alea/peeking')).toMatchObject({ jobs: 6 });
  expect(rows.get('baseline/alea/peeking')?.maeSeconds).toBeCloseTo(errors.reduce((sum, one) => sum + one, 0) / 6, 1);
  expect(RUNTIME_PREDICTORS.has('baseline/alea/peeking')).toBe(false);
});

test('rows carry what a result is read by', async () => {
  const many = Array.from(
    { length: 60 },
    (_, i): Job => [1000 * i, 10, 100 + (i % 7) * 50, 1000, i % 5 === 0 ? 0 : 1, 1],
  );
  const rows = await rowsOf(many, [...RUNTIME_PREDICTORS.keys()].join(','), '20-59');
  for (const name of RUNTIME_PREDICTORS.keys()) {
    const row = rows.get(name);
    expect(row).toMatchObject({ jobs: 40 });
    for (const metric of ['maeSeconds', 'medianAbsoluteErrorSeconds', 'underestimatedShare', 'pinballSeconds']) {
      expect(row?.[metric]).toBeGreaterThanOrEqual(0);
    }
    for (const level of [50, 80, 90, 95]) expect(row?.[`coverage${level}`]).toBeGreaterThan(0);
    expect(rows.get(`${name}/bound90`)?.exceededShare).toBeLessThan(0.5);
    expect(rows.get(`${name}/bound90`)?.meanShareOfRequested).toBeGreaterThan(0);
  }
});

test('a log whose outcomes are not told teaches all the same', async () => {
  const untold = Array.from({ length: 60 }, (_, i): Job => [1000 * i, 10, 300, 1000, -1, 1]);
  const rows = await rowsOf(untold, 'runtime/recent-use', '20-59');
  expect(rows.get('runtime/recent-use')).toMatchObject({ jobs: 40, unanswered: 0, maeSeconds: 0 });
});

test('ranges are measured by the range of the like: its own, or as long around the point as points were off', () => {
  const like = { count: 9, leastSeconds: 0, mostSeconds: 1000, meanErrorSeconds: 100 };
  const made = { version: '1', madeAt: 0, sampleSize: 9, pointSeconds: 500 };
  const scoreOf = (runtime: RuntimeForecast, ...seconds: number[]) => {
    const scorer = new RangeScorer();
    for (const actual of seconds) scorer.add({ runtime, like }, actual);
    return scorer.score();
  };
  const own = { ...made, predictor: 'runtime/some', quantileSeconds: [] };
  const ranges = [{ fromSeconds: 400, toSeconds: 500, probability: 1 }];
  expect(scoreOf({ ...own, ranges }, 450, 700)).toEqual({ rangedJobs: 2, successRate: 0.5, coveragePercent: 10 });
  expect(scoreOf(own, 451, 551)).toEqual({ rangedJobs: 2, successRate: 0.5, coveragePercent: 10 });
});

test('its page shows whether levels come true and the error by length, a line for each predictor', async () => {
  const { figures } = await runExperiment('runtime', {
    source: { trace: writeLog(FEW) },
    parameters: { predictors: 'baseline/alea,baseline/last-two', scored: '0-5' },
  });
  expect(figures.map(({ title, series }) => [title, series.map(({ name }) => name)])).toEqual([
    ['Calibration: share of runtimes within each level', ['as it should be', 'baseline/alea', 'baseline/last-two']],
    ['Error by length of the job', ['baseline/alea', 'baseline/last-two']],
  ]);
  const [, byLength] = figures;
  expect(byLength?.series[0]?.points.map(([length]) => length)).toEqual([1, 2, 3]);
});

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ParameterValue } from '../../../src/experiment/experiment.ts';
import { runExperiment } from '../../../src/experiment/run/run-experiment.ts';
import { simulateTrace } from '../../../src/experiment/simulate.ts';
import { pickWaitJobs } from '../../../src/experiment/wait/wait-jobs.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'gridcast-odd-logs-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

/** A job of 4 of 64 processors every 1,000 s, with the waits told. */
function logOf(waits: readonly number[]): string {
  const trace = join(folder, `${waits.length}.swf`);
  const lines = waits.map(
    (wait, job) => `${job + 1} ${job * 1000} ${wait} 300 4 -1 -1 4 600 -1 1 ${1 + (job % 3)} 1 -1 1 -1 -1 -1`,
  );
  writeFileSync(trace, ['; MaxProcs: 64', ...lines, ''].join('\n'));
  return trace;
}

const run = (name: string, trace: string, parameters: Record<string, ParameterValue> = {}) =>
  runExperiment(name, { source: { trace }, parameters });

/** Most wait ten minutes: five of the first and one later do not. */
const HARDLY_EVER_WRONG = Array.from({ length: 300 }, (_, job) => (job < 5 ? 900 : job === 200 ? 0 : 600));

test('a ratio whose bounds too few errors tell has none', async () => {
  const parameters = { predictors: 'baseline/mean,baseline/median' };
  const { rows } = await run('wait', logOf(HARDLY_EVER_WRONG), parameters);
  expect(rows[1]).toMatchObject({ firstOverThis: expect.any(Number), firstOverThisJobs: 200 });
  expect(rows[1]).not.toHaveProperty('firstOverThisLow');
  expect(rows[1]).not.toHaveProperty('firstOverThisHigh');
});

test.each([
  ['down-time', { warmUpDays: 1 }],
  ['delay', { history: 10 }],
  ['resources', { mostJobs: 100 }],
  ['wait', { predictors: 'baseline/mean,wait/qbets', scored: '0-9' }],
])('%s leaves out what is no figure', async (name, parameters) => {
  const { rows } = await run(name, logOf(HARDLY_EVER_WRONG), parameters);
  expect(rows.length).toBeGreaterThan(0);
  const figures = rows.flatMap((row) => Object.values(row).filter((value) => typeof value === 'number'));
  expect(figures.filter((value) => !Number.isFinite(value))).toEqual([]);
});

test('a log that is too short to be scored says so', async () => {
  await expect(run('load', logOf([0]))).rejects.toThrow('too short to teach and to score');
  for (const scored of ['0-10', '0--1']) {
    expect(() => pickWaitJobs([], scored, 'seen')).toThrow('none of these jobs of the log can be scored');
  }
});

test.each([
  ['varq', { predictors: 'baseline/mean' }, 'warmUpJobs=2000'],
  ['varq', { predictors: 'baseline/mean', share: 0.001 }, 'share=0.001'],
  ['chains', {}, 'warmUpJobs=2000'],
  ['deadline', {}, 'warmUpJobs=2000'],
  ['down-time', {}, 'warmUpDays=20'],
])('%s of a log that leaves nothing to score says so', async (name, parameters, by) => {
  const scored = run(name, logOf(HARDLY_EVER_WRONG), parameters);
  await expect(scored).rejects.toThrow(
    /: nothing of its 300 jobs is left to score: take a longer log, or tell others than /,
  );
  await expect(scored).rejects.toThrow(by);
});

test('of a machine where jobs wait for seconds errors are told, too', async () => {
  const waits = Array.from({ length: 300 }, (_, job) => (job * 7) % 13);
  const { rows } = await run('wait', logOf(waits), { predictors: 'baseline/last' });
  const scored = waits.map((wait, job) => Math.abs(wait - (waits[job - 1] ?? 0))).slice(100);
  const seconds = scored.reduce((sum, error) => sum + error, 0) / scored.length;
  const row = rows.find(({ name }) => name === 'baseline/last');
  expect((3600 * Number(row?.aaeHours)) / seconds).toBeCloseTo(1, 1);
  expect(Number(row?.crpsHours)).toBeGreaterThan(0);
  expect(Number(row?.medianWaitHours) * 3600).toBeCloseTo(6, 0);
});

test('promises that were all kept leave it open how many are', async () => {
  const told = { predictors: 'baseline/mean', warmUpJobs: 50, levels: '0.5' };
  const { rows } = await run('varq', logOf(HARDLY_EVER_WRONG), told);
  const row = rows.find(({ name }) => name === 'baseline/mean/p0.5');
  expect(row).toMatchObject({ actualShare: 1 });
  expect(Number(row?.accepted)).toBeGreaterThan(3);
  expect(Number(row?.twoStandardErrors)).toBeCloseTo(3 / Number(row?.accepted), 3);
});

test('jobs behind the end of a log are none', async () => {
  const source = { trace: logOf(HARDLY_EVER_WRONG) };
  const range = { from: 300, count: 10 };
  const words = 'it has 300 jobs, 0 to 299, none from 300 on';
  await expect(runExperiment('policies', { source, range })).rejects.toThrow(words);
  await expect(simulateTrace({ source, range, policy: 'easy' })).rejects.toThrow(words);
});

test.each([
  'null',
  '5',
  '[]',
  '"x"',
  '{"wait/apq":null}',
  '{"wait/apq":5}',
  '{"wait/apq":{"capacity":null}}',
])('settings %s are refused with how they are written', async (settings) => {
  const wrong = run('wait', logOf(HARDLY_EVER_WRONG), { predictors: 'wait/apq', settings });
  await expect(wrong).rejects.toThrow('parameter settings must be JSON like {"wait/apq":{"capacity":4000}}');
});

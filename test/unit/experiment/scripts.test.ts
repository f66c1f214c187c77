import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ParameterValue } from '../../../src/experiment/experiment.ts';
import { runExperiment } from '../../../src/experiment/run/run-experiment.ts';
import { scriptsExperiment } from '../../../src/experiment/scripts/scripts.ts';
import { supplyTrainer } from '../../../src/predict/prionn/training.ts';
import { readWorkload } from '../../../src/sim/read-workload.ts';
import { whyUntrainable } from '../../../src/training/supply.ts';
import { LONG_WORDS, SHORT_WORDS, writeSmallModel } from '../training/small-embedding-model.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'gridcast-scripts-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

/** Jobs of four users who each run two things, of their own lengths, over and over. */
function swf(count: number): string {
  const lines = Array.from({ length: count }, (_, i) => {
    const [user, thing] = [1 + (i % 4), (i >> 2) % 2];
    const ran = 600 * user * (1 + 7 * thing) + (i % 5);
    return `${i + 1} ${4000 * i} 5 ${ran} ${2 ** (1 + thing)} -1 -1 ${2 ** (1 + thing)} 40000 -1 1 ${user} 1 -1 1 -1 -1 -1`;
  });
  const path = join(folder, 'log.swf');
  writeFileSync(path, `; MaxProcs: 64\n${lines.join('\n')}\n`);
  return path;
}

/** The same by a job's name alone: whoever does not read it cannot tell the lengths apart. */
function namedCsv(count: number): string {
  const lines = Array.from({ length: count }, (_, i) => {
    const isLong = (i * 7919) % 13 < 6;
    const startAt = 10_000 + 5000 * i;
    return `${i}.m1,ann,g,${isLong ? 'long' : 'short'},batch,${startAt},${startAt},${startAt + (isLong ? 4000 : 100)},4,9000,0`;
  });
  const path = join(folder, 'named.csv');
  writeFileSync(
    path,
    `jobid,user,group,jobname,queue,qtime,start,end,procs,req_walltime,exit_status\n${lines.join('\n')}\n`,
  );
  return path;
}

async function rowsOf(trace: string, parameters: Record<string, ParameterValue>) {
  const { rows } = await runExperiment('scripts', { source: { trace }, parameters });
  return new Map(rows.map(({ name, ...row }) => [name, row]));
}

test('jobs after the history are scored, by eq. 1, in whole minutes and in seconds', async () => {
  const rows = await rowsOf(swf(60), { predictors: 'baseline/requested', history: 20 });
  const ran = Array.from({ length: 40 }, (_, j) => {
    const i = j + 20;
    return 600 * (1 + (i % 4)) * (1 + 7 * ((i >> 2) % 2)) + (i % 5);
  });
  const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
  const row = rows.get('baseline/requested');
  expect(row).toMatchObject({ jobs: 40, unanswered: 0, text: 'generated scripts', leftOutJobs: 0 });
  expect(row?.runtimeAccuracy).toBeCloseTo(mean(ran.map((seconds) => seconds / 40_000)), 4);
  expect(row?.minutesAccuracy).toBeCloseTo(mean(ran.map((seconds) => Math.round(seconds / 60) / 667)), 4);
  expect(row?.runtimeMae).toBeCloseTo(mean(ran.map((seconds) => 40_000 - seconds)), -1);
  expect(row).not.toHaveProperty('readAccuracy');
  expect(rows.get('paper/prionn')).toMatchObject({ minutesAccuracy: 0.761, readBandwidthAccuracy: 0.802 });
});

test('what is exact without noise is found by trees, in bytes and bandwidths too', async () => {
  const told = { predictors: 'baseline/decision-tree,baseline/user-last-bytes', history: 200, noise: 0, unrelated: 0 };
  const rows = await rowsOf(swf(400), told);
  const tree = rows.get('baseline/decision-tree');
  for (const amount of ['minutes', 'runtime', 'read', 'written', 'readBandwidth', 'writtenBandwidth']) {
    expect(Number(tree?.[`${amount}AccuracyMedian`])).toBeGreaterThan(0.97);
  }
  const last = rows.get('baseline/user-last-bytes');
  expect(last).not.toHaveProperty('runtimeAccuracy');
  expect(last?.jobs).toBe(200);
  expect(Number(tree?.writtenBandwidthAccuracy)).toBeGreaterThan(Number(last?.writtenBandwidthAccuracy));
});

test('a log with names is not given scripts; who is told nothing of them does worse', async () => {
  const predictors = 'baseline/decision-tree,baseline/decision-tree+blind';
  const rows = await rowsOf(namedCsv(300), { predictors, history: 100 });
  expect(rows.get('baseline/decision-tree')).toMatchObject({ text: 'names of the log', runtimeAccuracy: 1 });
  expect(rows.get('baseline/decision-tree')).not.toHaveProperty('readAccuracy');
  expect(rows.get('baseline/decision-tree+blind')).toMatchObject({ text: 'none' });
  expect(Number(rows.get('baseline/decision-tree+blind')?.runtimeAccuracy)).toBeLessThan(0.7);
});

test('what scripts say themselves is exact but for the noise, and absent where none are generated', async () => {
  const told = { predictors: 'true/script', history: 40 };
  const exact = (await rowsOf(swf(200), { ...told, noise: 0, unrelated: 0 })).get('true/script');
  const noisy = (await rowsOf(swf(200), { ...told, noise: 1 })).get('true/script');
  expect(Number(exact?.runtimeAccuracy)).toBeGreaterThan(0.94);
  expect(Number(noisy?.runtimeAccuracy)).toBeLessThan(0.9);
  expect(exact?.uniqueShare).toBeLessThan(1);
  expect((await rowsOf(namedCsv(60), told)).get('true/script')).toMatchObject({ jobs: 0, unanswered: 20 });
});

test('a long log is cut, and says so', async () => {
  const rows = await rowsOf(swf(60), { predictors: 'baseline/requested', history: 0, mostJobs: 25 });
  expect(rows.get('baseline/requested')).toMatchObject({ jobs: 25, leftOutJobs: 35 });
});

test.each([
  [{ predictors: 'baseline/nobody' }, /no predictor baseline\/nobody of runtimes or bytes; there are /],
  [{ mostJobs: 0 }, /parameter mostJobs must be a whole number from 1, not 0/],
  [{ noise: 9 }, /noise must be within 0 and 2/],
])('what cannot be is refused: %o', async (parameters, words) => {
  await expect(rowsOf(swf(10), { predictors: 'baseline/requested', ...parameters })).rejects.toThrow(words);
});

test('unless told it compares all that is registered for jobs with a text', () => {
  const predictors = String(scriptsExperiment.parameters.predictors).split(',');
  expect(predictors).toEqual(expect.arrayContaining(['baseline/random-forest', 'runtime/gridcast']));
  expect(predictors.length).toBeGreaterThanOrEqual(8);
});

test('a predictor that cannot be taught here is said to be absent, and why', async () => {
  const workload = await readWorkload(swf(10));
  const { parameters } = scriptsExperiment;
  supplyTrainer(null);
  const rows = await scriptsExperiment.runPart('runtime/prionn', { workload, seed: 1, parameters, onProgress() {} });
  expect(rows).toEqual([{ name: 'runtime/prionn', jobs: 0, absent: expect.stringMatching(/prionn/) }]);
});

test('with a model of sentences, names tell by what they mean', async ({ skip }) => {
  const why = whyUntrainable();
  if (why !== null) skip(why);
  const { modelFile, tokenizerFile } = writeSmallModel(join(folder, 'model'));
  const lettersOf = (number: number) =>
    number.toString(36).replace(/\d/g, (digit) => 'QRSTUVWXYZ'[Number(digit)] ?? '');
  const rows = Array.from({ length: 450 }, (_, i) => {
    const isLong = Math.sin(i * i * i) > 0;
    const word = (isLong ? LONG_WORDS : SHORT_WORDS)[i % 3];
    const startAt = 10_000 + 10_000 * i;
    return `${i},u${i},${word} x${lettersOf(i)},${startAt},${startAt},${startAt + (isLong ? 4000 : 100)},4,9000`;
  });
  const file = join(folder, 'meanings.csv');
  writeFileSync(file, `jobid,user,jobname,qtime,start,end,procs,req_walltime\n${rows.join('\n')}\n`);
  const accuracyWith = async (embedding: string) => {
    const parameters = { predictors: 'runtime/gridcast', history: 300, embedding };
    const result = await runExperiment('scripts', { source: { trace: file }, parameters });
    return Number(result.rows.find(({ name }) => name === 'runtime/gridcast')?.runtimeRelativePoint);
  };
  expect(await accuracyWith(`${modelFile},${tokenizerFile}`)).toBeGreaterThan(0.8);
  expect(await accuracyWith('')).toBeLessThan(0.7);
  await expect(accuracyWith(`${modelFile},${file}`)).rejects.toThrow(
    /parameter embedding: .*meanings.csv is no tokenizer/,
  );
});

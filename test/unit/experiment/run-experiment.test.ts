import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { EXPERIMENTS } from '../../../src/experiment/registry.ts';
import { toHtml } from '../../../src/experiment/report/html-report.ts';
import { toCsv, toJson } from '../../../src/experiment/report/report.ts';
import { runExperiment } from '../../../src/experiment/run/run-experiment.ts';
import { simulateTrace } from '../../../src/experiment/simulate.ts';

const SOURCE = { generated: { seed: 5, load: 0.8, processors: 64, jobs: 1500 } };
const PARAMETERS = { policies: 'fcfs,easy,conservative' };

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'gridcast-experiment-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

test('a result says what it was computed from, and names its rows', async () => {
  const result = await runExperiment('policies', {
    source: SOURCE,
    range: { from: 100, count: 1000 },
    seed: 9,
    parameters: PARAMETERS,
  });
  expect(result).toMatchObject({
    experiment: 'policies',
    jobs: 1000,
    range: { from: 100, to: 1100 },
    seed: 9,
    parameters: { ...PARAMETERS, ties: 'ends-first' },
  });
  expect(result.rows.map((row) => row.name)).toEqual(['policy/fcfs', 'policy/easy', 'policy/conservative']);
  const [fcfs, easy] = result.rows;
  expect(easy?.meanWaitSeconds as number).toBeLessThan(fcfs?.meanWaitSeconds as number);
});

test('threads change nothing but the time, and report their progress', async () => {
  const alone = await runExperiment('policies', { source: SOURCE, parameters: PARAMETERS });
  const progress: { done: number; total: number }[] = [];
  const together = await runExperiment('policies', {
    source: SOURCE,
    parameters: PARAMETERS,
    threads: 2,
    onProgress: (done, total) => progress.push({ done, total }),
  });
  expect(together).toEqual(alone);
  expect(progress.at(-1)).toEqual({ done: 4500, total: 4500 });
});

test.each([
  'wait',
  'varq',
  'co-allocation',
])('%s takes settings of its predictors, and refuses those that cannot be', async (name) => {
  const parameters = { predictors: 'wait/gridcast', settings: '{"wait/gridcast":{"heeds":"future"}}' };
  await expect(runExperiment(name, { source: SOURCE, parameters })).rejects.toThrow(
    /parameter heeds of wait\/gridcast must be one of present, past, not "future"/,
  );
});

test('parameters given as text are read, unknown ones and bad ones are refused', async () => {
  const larger = await runExperiment('policies', { source: SOURCE, parameters: { ...PARAMETERS, processors: '128' } });
  expect(larger.parameters.processors).toBe(128);
  await expect(runExperiment('policies', { source: SOURCE, parameters: { speed: 1 } })).rejects.toThrow(
    /no parameter speed; it has policies, ties, processors/,
  );
  await expect(runExperiment('policies', { source: SOURCE, parameters: { processors: 'many' } })).rejects.toThrow(
    /must be a number/,
  );
  await expect(runExperiment('policies', { source: SOURCE, parameters: { policies: 'luck' } })).rejects.toThrow(
    /no policy luck/,
  );
  await expect(runExperiment('nonsense', { source: SOURCE })).rejects.toThrow(/no experiment nonsense; there are/);
});

test.each([
  ['wait', { every: '0' }, 'every must be a whole number from 1'],
  ['wait', { every: '1.5' }, 'every must be a whole number'],
  ['wait', { snapshotSeconds: '-300' }, 'snapshotSeconds must be a number from 1'],
  ['varq', { retrySeconds: '0' }, 'retrySeconds must be a number from 1'],
  ['varq', { share: '150' }, 'share must be a number from 0 to 100'],
  ['varq', { leadSeconds: '1e12' }, 'leadSeconds must be a number from 1 to 7948800'],
  ['varq', { recomputeSeconds: '7948801' }, 'recomputeSeconds must be a number from 1 to 7948800'],
  ['varq', { paddingCap: '-1' }, 'paddingCap must be a number from 0'],
  ['runtime', { processors: '0.5' }, 'processors must be a whole number'],
  ['load', { smoothing: '0.5' }, 'smoothing must be a whole number from 0'],
])('%s with %j is refused before anything runs', async (name, parameters, why) => {
  await expect(runExperiment(name, { source: SOURCE, parameters })).rejects.toThrow(why);
});

test('what a log lacks is told, and jobs of one number are taken apart', async () => {
  const jobs = Array.from({ length: 600 }, (_, n) => [n + 1, 100 * n, (n * 37) % 500, 90, 4, 1]);
  const log = (idOf: (job: number) => number, more: string[] = []) => {
    const lines = jobs.map(([id = 0, at, wait, run, size, status]) => {
      return `${idOf(id)} ${at} ${wait} ${run} ${size} -1 -1 ${size} 200 -1 ${status} 1 1 1 1 1 -1 -1`;
    });
    return ['; MaxProcs: 64', ...lines, ...more].join('\n');
  };
  const scoresOf = async (text: string) => {
    const trace = join(folder, 'numbers.swf');
    writeFileSync(trace, `${text}\n`);
    const parameters = { predictors: 'baseline/last,wait/apq', scored: '300-600' };
    const { rows, notes } = await runExperiment('wait', { source: { trace }, parameters });
    return { aae: rows.map(({ aaeHours }) => aaeHours), notes };
  };
  const own = await scoresOf(log((id) => id));
  expect(own.notes).toEqual([]);
  const unknown = await scoresOf(log(() => -1));
  expect(unknown).toEqual({
    aae: own.aae,
    notes: ['of the log, 599 x number of a job before it, given another'],
  });
  const sizeless = await scoresOf(log((id) => id, ['601 70000 5 5 -1 -1 -1 -1 200 -1 1 1 1 1 1 1 -1 -1']));
  expect(sizeless.notes).toEqual(['of the log, 1 x no size, not a record']);
});

test('an error on a thread reaches the caller', async () => {
  const source = { trace: join(folder, 'nowhere.swf') };
  await expect(runExperiment('policies', { source, parameters: PARAMETERS, threads: 2 })).rejects.toThrow(
    /no such file/,
  );
});

test('every output carries parameters, seed, trace and range', async () => {
  const result = await runExperiment('policies', { source: SOURCE, parameters: PARAMETERS });
  const withPaper = {
    ...result,
    trace: 'a <b> & "c"',
    rows: [{ name: 'paper/easy', meanWaitSeconds: 1234.5 }, ...result.rows],
    figures: [
      {
        title: 'a <line>',
        x: 'hours',
        y: 'share',
        series: [
          {
            name: 'one',
            points: [
              [0, 0.5],
              [2, 1],
            ] as const,
          },
        ],
      },
    ],
  };
  expect(JSON.parse(toJson(result))).toEqual(result);
  const csv = toCsv(withPaper).split('\n');
  expect(csv).toContain('# seed: 1');
  expect(csv).toContain('# jobs: 1500 (0 to 1499)');
  expect(csv).toContain('# parameter ties: ends-first');
  expect(csv.find((line) => line.startsWith('paper/easy'))).toBe('paper/easy,1234.5,,,,');
  const html = toHtml(withPaper);
  expect(html).toContain('a &lt;b&gt; &amp; &quot;c&quot;');
  expect(html.match(/<svg /g)).toHaveLength(6);
  expect(html).toContain('a &lt;line&gt;');
  expect(html).toContain('<polyline points="60.0,160.0 620.0,30.0"');
  expect(html).toContain('class="paper"');
  expect(html).not.toMatch(/(src|href)=|https?:|@import|url\(/);
});

test('every experiment explains itself and has parts', () => {
  for (const experiment of EXPERIMENTS) {
    expect(experiment.name).toMatch(/^[a-z][a-z-]*$/);
    expect(experiment.describe.length).toBeGreaterThan(20);
    expect(experiment.parts(experiment.parameters).length).toBeGreaterThan(0);
  }
});

test('simulate writes a line a job and measures the schedule', async () => {
  const csv = join(folder, 'starts.csv');
  const report = await simulateTrace({ source: SOURCE, policy: 'easy', csv });
  const [head, ...lines] = readFileSync(csv, 'utf8').trim().split('\n');
  const rows = lines.map((line) => line.split(',').map(Number));
  expect(head).toBe('jobId,submitAt,startAt,endAt');
  expect(rows).toHaveLength(1500);
  const waits = rows.map(([, submitAt, startAt]) => (startAt as number) - (submitAt as number));
  expect(Math.min(...waits)).toBe(0);
  expect(report.meanWaitSeconds).toBeCloseTo(waits.reduce((sum, wait) => sum + wait, 0) / 1500, 6);
  expect(report.makespanSeconds).toBe(Math.max(...rows.map((row) => row[3] as number)) - (rows[0]?.[1] as number));
  expect(report.utilization).toBeGreaterThan(0.5);
  expect(report.utilization).toBeLessThanOrEqual(1);
});

test('the same seed gives the same run, byte for byte', async () => {
  const files = [join(folder, 'once.csv'), join(folder, 'again.csv')];
  for (const csv of files) await simulateTrace({ source: SOURCE, policy: 'wfp', csv });
  const [once, again] = files.map((path) => readFileSync(path, 'utf8'));
  expect(once).toBe(again);
});

test('a log that does not state its machine needs to be told', async () => {
  const source = { generated: { ...SOURCE.generated, processors: 64 } };
  await expect(simulateTrace({ source, policy: 'easy', processors: 0 })).rejects.toThrow(/tell --processors/);
});

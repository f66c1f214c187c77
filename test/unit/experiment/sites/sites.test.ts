import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ExperimentRow } from '../../../../src/experiment/experiment.ts';
import { runExperiment } from '../../../../src/experiment/run/run-experiment.ts';
import { mergedStream } from '../../../../src/experiment/sites/merged-stream.ts';
import { generateWorkload } from '../../../../src/sim/generator.ts';
import type { Workload } from '../../../../src/sim/workload.ts';

const folder = mkdtempSync(join(tmpdir(), 'gridcast-sites-'));
afterAll(() => rmSync(folder, { recursive: true }));

const MACHINES = [
  { processors: 64, load: 0.9, seed: 1 },
  { processors: 32, load: 0.8, seed: 2 },
  { processors: 128, load: 0.6, seed: 3 },
];

function logOf({ processors, load, seed }: (typeof MACHINES)[number]): Workload {
  return generateWorkload({ seed, load, processors, fromAt: 1000 * seed }, 250);
}

function swf(log: Workload, processors: number): string {
  const { submitAt, runSeconds, allocatedProcessors, requestedSeconds, user } = log.columns;
  const lines = Array.from({ length: log.length }, (_, i) => {
    const [at, run, size, requested] = [submitAt[i], runSeconds[i], allocatedProcessors[i], requestedSeconds[i]];
    return `${i + 1} ${at} 0 ${run} ${size} -1 -1 ${size} ${requested} -1 1 ${user[i]} -1 -1 -1 -1 -1 -1`;
  });
  return `; MaxProcs: ${processors}\n${lines.join('\n')}\n`;
}

const files = MACHINES.map((_, i) => join(folder, `${i}.swf`));
for (const [i, machine] of MACHINES.entries())
  writeFileSync(files[i] as string, swf(logOf(machine), machine.processors));

function choose(parameters: Record<string, string | number> = {}) {
  const [trace = '', ...others] = files;
  const told = { warmUpDays: 0.2, runtimes: 'runtime/recent-use', snapshotSeconds: 3600, ...parameters };
  return runExperiment('sites', { source: { trace }, parameters: { alsoTraces: others.join(','), ...told } });
}

const RULES = 'home,shortest-queue,least-loaded,least-work,earliest-estimate,plan-ahead/selfish,plan-ahead';

describe('three logs as three sites', () => {
  let rows: readonly ExperimentRow[] = [];
  const row = (name: string) => rows.find((one) => one.name === name) as ExperimentRow;

  beforeAll(async () => {
    ({ rows } = await choose({ rules: RULES }));
  }, 60_000);

  test('have the same rows for the same seed', async () => {
    expect((await choose({ rules: 'random,oracle,plan-ahead' })).rows).toEqual(
      ['random', 'oracle', 'plan-ahead'].map(row),
    );
  });

  test('no rule is better than the oracle by more than luck, and chance is the measure of all', () => {
    for (const one of rows) {
      expect(one.meanResponseSeconds, one.name).toBeGreaterThan(0.95 * (row('oracle').meanResponseSeconds as number));
      expect(one.jobs).toBe(row('oracle').jobs);
    }
    expect(row('random')).toMatchObject({ reductionPercent: 0, oracleGainShare: 0 });
    expect(row('oracle').oracleGainShare).toBe(1);
    expect(row('home').movedPercent).toBe(0);
    for (const ours of ['plan-ahead', 'plan-ahead/selfish']) expect(row(ours).oracleGainShare).toBeGreaterThan(0.5);
  });

  test('are one stream that ends with the first of the logs, each with users of its own', () => {
    const homes = MACHINES.map((machine) => ({ log: logOf(machine), processors: machine.processors }));
    const jobs = mergedStream(homes);
    expect(jobs[0]?.submitAt).toBe(0);
    for (const [i, { submitAt }] of jobs.entries()) expect(submitAt).toBeGreaterThanOrEqual(jobs[i - 1]?.submitAt ?? 0);
    const ends = homes.map(
      ({ log }) => (log.columns.submitAt[log.length - 1] as number) - (log.columns.submitAt[0] as number),
    );
    expect(jobs.at(-1)?.submitAt).toBe(Math.min(...ends));
    for (const { user, home } of jobs) expect(user?.startsWith(`${home}:`) ?? true).toBe(true);
  });

  test('may be chosen by the waits that a predictor tells', async () => {
    const { rows: told } = await choose({ rules: 'wait/qbets,random-evenly', warmUpDays: 0, mostJobs: 150 });
    expect(told.map(({ name, jobs }) => [name, jobs])).toEqual([
      ['random', 150],
      ['oracle', 150],
      ['wait/qbets', 150],
      ['random-evenly', 150],
    ]);
  });

  test('are needed', async () => {
    await expect(choose({ alsoTraces: '' })).rejects.toThrow('sites needs one log a site');
  });
});

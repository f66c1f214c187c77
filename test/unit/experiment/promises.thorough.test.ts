import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ExperimentResult, ExperimentRow } from '../../../src/experiment/experiment.ts';
import { toHtml } from '../../../src/experiment/report/html-report.ts';
import { tablesOf } from '../../../src/experiment/report/report.ts';
import { runExperiment } from '../../../src/experiment/run/run-experiment.ts';
import { varqExperiment } from '../../../src/experiment/varq/varq.ts';
import { waitExperiment } from '../../../src/experiment/wait/wait.ts';
import { RandomStream } from '../../../src/sim/random.ts';
import { UNKNOWN_ROW, Workload } from '../../../src/sim/workload.ts';
import { expectShareOfHalf, generatedLog, PROMISES } from './promises-of-a-log.ts';

/** Jobs a minute apart that wait 0 to 996 s without pattern, and `poison` more from the 700th on. */
function loggedWaits(poison = 0): Workload {
  const workload = new Workload('SDSC-SP2-like');
  const random = new RandomStream(1);
  for (let i = 0; i < 900; i++) {
    const waitSeconds = Math.floor(997 * random.uniform()) + (i >= 700 ? poison : 0);
    const size = { allocatedProcessors: 1 + (i % 8), requestedProcessors: 1 + (i % 8), requestedSeconds: 900 };
    workload.add({
      ...UNKNOWN_ROW,
      ...size,
      id: i,
      submitAt: 60 * i,
      waitSeconds,
      runSeconds: 600,
      status: 1,
      user: i % 5,
    });
  }
  return workload;
}

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'gridcast-wait-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

const quiet = { seed: 1, onProgress: () => {} };
const numbersOf = (row: ExperimentRow | undefined) => Object.entries(row ?? {}).filter(([name]) => name !== 'name');

describe('the wait experiment', () => {
  const parameters = { ...waitExperiment.parameters, scored: '300-599', processors: 16 };
  const run = async (part: string, workload: Workload) =>
    waitExperiment.runPart(part, { workload, parameters, ...quiet });

  test.each(['wait/qbets', 'wait/gridcast', 'baseline/median'])('%s: scores the jobs of the range', async (part) => {
    const [row] = await run(part, loggedWaits());
    expect(row).toMatchObject({ name: part, jobs: 300, unanswered: 0 });
    expect(row?.aaeHours as number).toBeGreaterThan(0.02);
    expect(row?.aaeHours as number).toBeLessThan(0.15);
    expect(row?.coverage95 as number).toBeGreaterThan(0.92);
  });

  test('the bound of QBETS is scored as a point, too, as the paper does', async () => {
    const [own, bound] = await run('wait/qbets', loggedWaits());
    expect(bound?.name).toBe('wait/qbets/bound95');
    expect(bound?.aaeHours as number).toBeGreaterThan(own?.aaeHours as number);
  });

  test.each([
    'wait/qbets',
    'wait/gridcast',
    'baseline/user-last',
  ])('%s: a poisoned future changes no score before it', async (part) => {
    expect(await run(part, loggedWaits(1e6))).toEqual(await run(part, loggedWaits()));
  });

  test('the paper’s figures stand beside those of its logs, and of no others', () => {
    expect(waitExperiment.paperRows?.('SDSC-SP2-1998-4.2-cln.swf.gz', parameters)).toHaveLength(3);
    expect(waitExperiment.paperRows?.('KTH-SP2', parameters)).toEqual([]);
    expect(waitExperiment.notes?.('SDSC-SP2-1998-4.2-cln.swf.gz').join()).toMatch(/54,006 completed jobs/);
    expect(waitExperiment.notes?.('KTH-SP2')).toEqual([]);
  });

  test('plots errors by class and levels for all predictors together, and groups its metrics into tables', async () => {
    const trace = join(folder, 'logged.swf');
    const lines = Array.from(
      { length: 900 },
      (_, i) => `${i} ${60 * i} ${(i * 7919) % 997} 600 ${1 + (i % 8)} -1 -1 -1 900 -1 1 ${i % 5} 1 -1 1 1 -1 -1`,
    );
    writeFileSync(trace, `; MaxProcs: 16\n${lines.join('\n')}\n`);
    const source = { trace };
    const told = { predictors: 'wait/qbets,baseline/median', scored: '300-599' };
    const alone = await runExperiment('wait', { source, parameters: told });
    const [classes, levels, reliability] = alone.figures;
    expect(alone.figures).toHaveLength(3);
    expect(classes?.series.map(({ name }) => name)).toEqual(['wait/qbets', 'wait/qbets/bound95', 'baseline/median']);
    const drawn = ['as it should be', 'wait/qbets', 'baseline/median'];
    expect(levels?.series.map(({ name }) => name)).toEqual(drawn);
    expect(reliability?.series.map(({ name }) => name)).toEqual(drawn);
    const [point] = levels?.series[1]?.points ?? [];
    expect(point?.[1]).toBeCloseTo(alone.rows[0]?.coverage10 as number, 4);
    const tables = tablesOf(alone);
    expect(tables.map(({ title }) => title)).toEqual([
      'Table V',
      'AAE by class of the wait',
      'share of waits within each level',
      'the whole distribution, and the class of jobs whose levels are furthest off',
      'AAE of the first row over that of this one, where 95 % of resampled ratios lie, and of how many jobs',
    ]);
    expect(tables[0]?.metrics).toEqual(['aaeHours', 'scaledAae', 'jobs', 'unanswered', 'scored']);
    expect(alone.rows[0]).toMatchObject({ scored: '300-599', jobs: 300 });
    expect(toHtml(alone)).toContain('Reliability of &quot;starts within&quot;');
    expect(await runExperiment('wait', { source, parameters: told, threads: 2 })).toEqual(alone);
  });

  test('rows without metrics of a table are left out of it', () => {
    const rows = [
      { name: 'paper/apq', aaeHours: 1 },
      { name: 'wait/apq', aaeHours: 2, coverage90: 0.9 },
    ];
    const tables = [{ title: 'levels', metrics: ['coverage90', 'coverage95'] }];
    expect(tablesOf({ rows, tables } as unknown as ExperimentResult)).toEqual([
      { title: 'levels', metrics: ['coverage90'], rows: [rows[1]] },
    ]);
  });
});

describe('the reservation experiment', { timeout: 300_000 }, () => {
  // On a quiet machine as many jobs take far longer to come, and every snapshot on the way costs.
  const at = (load: number) => generatedLog(load, load < 0.5 ? 750 : 1000);
  const parameters = { ...PROMISES, warmUpJobs: 500 };
  const short = (load: number) => generatedLog(load, 500);
  const few = { ...PROMISES, warmUpJobs: 400 };
  const results = new Map<number, Promise<ExperimentResult>>();
  /** Computed once for a load. */
  const resultAt = (load: number): Promise<ExperimentResult> => {
    const result = results.get(load) ?? runExperiment('varq', { source: at(load), parameters });
    results.set(load, result);
    return result;
  };

  test('on a lightly loaded machine the promises are kept, and one at even odds holds little', async () => {
    const { rows } = await resultAt(0.3);
    for (const row of rows.filter(({ name }) => name.startsWith('wait/'))) {
      expect(row.accepted as number).toBeGreaterThan(10);
      expect(row.actualShare as number).toBeGreaterThanOrEqual(
        (row.promisedShare as number) - (row.twoStandardErrors as number),
      );
    }
    expect(rows.find(({ name }) => name === 'wait/gridcast/p0.5')?.chargeRatio as number).toBeLessThan(1.5);
  });

  test('on a busy one some are refused, and no forecast accepted is below its promise', async () => {
    const { rows } = await resultAt(0.85);
    const own = rows.filter(({ name }) => name.startsWith('wait/'));
    expect(own.map(({ name }) => name)).toEqual(['p0.5', 'p0.75', 'p0.95'].map((p) => `wait/gridcast/${p}`));
    for (const row of own) {
      expect(row.forecastShare as number).toBeGreaterThanOrEqual(row.promisedShare as number);
      expect(row.chargeRatio as number).toBeGreaterThanOrEqual(1);
    }
    expect(own.reduce((sum, row) => sum + (row.refusals as number), 0)).toBeGreaterThan(0);
  });

  test('a cap on the charge makes promises cheaper and refusals more', async () => {
    const free = await resultAt(0.85);
    const capped = await runExperiment('varq', { source: at(0.85), parameters: { ...parameters, cap: 2 } });
    const sum = ({ rows }: ExperimentResult, metric: string) =>
      rows.filter(({ name }) => name.startsWith('wait/')).reduce((all, row) => all + Number(row[metric]), 0);
    expect(sum(capped, 'chargeRatio')).toBeLessThan(sum(free, 'chargeRatio'));
    expect(sum(capped, 'refusals')).toBeGreaterThan(sum(free, 'refusals'));
    for (const row of capped.rows.filter(({ name }) => name.startsWith('wait/'))) {
      expect(row.chargeRatio as number).toBeLessThanOrEqual(2);
    }
  });

  test('a share of the jobs becomes reservations at the next six-hour mark', async () => {
    const { rows, figures } = await runExperiment('varq', { source: short(0.5), parameters: { ...few, share: 50 } });
    expectShareOfHalf(rows, 100);
    expect(rows.slice(3).reduce((sum, { accepted }) => sum + Number(accepted), 0)).toBeGreaterThan(10);
    expect(figures.map(({ series }) => series.length)).toEqual([1, 1, 1]);
  });

  test('trajectories and calibration are there to be plotted', async () => {
    const { figures } = await resultAt(0.3);
    expect(figures.map(({ title }) => title)).toEqual([
      'wait/gridcast: trajectory of the first promise at each probability',
      'wait/gridcast: calibration of the promises',
    ]);
    const points = figures.flatMap(({ series }) => series.flatMap((one) => one.points));
    expect(points.length).toBeGreaterThan(100);
    for (const [, probability] of points) expect(probability).toBeLessThanOrEqual(1);
  });

  test('the same seed gives the same rows', async () => {
    const quick = { ...few, predictors: 'wait/qbets' };
    const once = await runExperiment('varq', { source: short(0.3), parameters: quick });
    const again = await runExperiment('varq', { source: short(0.3), parameters: quick });
    expect(Number(once.rows[3]?.accepted)).toBeGreaterThan(0);
    expect(numbersOf(again.rows[3])).toEqual(numbersOf(once.rows[3]));
    expect(varqExperiment.parts({ predictors: 'a,b' })).toEqual(['a', 'b']);
  });
});

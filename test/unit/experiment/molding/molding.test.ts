import { describe, expect, test } from 'vitest';
import { denseRanges } from '../../../../src/experiment/molding/dense-ranges.ts';
import { strictRule } from '../../../../src/experiment/molding/runtime-rules.ts';
import { UserRuns } from '../../../../src/experiment/molding/user-runs.ts';
import { runExperiment } from '../../../../src/experiment/run/run-experiment.ts';
import { RandomStream } from '../../../../src/sim/random.ts';

const SOURCE = { generated: { seed: 5, load: 0.8, processors: 64, jobs: 400 } };
const TOLD = {
  history: 150,
  molded: 250,
  runtimes: 'runtime/recent-use',
  strategies: 'smallest,largest,random,plan-ahead',
};

function mold(parameters: Record<string, string | number> = {}, seed = 1) {
  return runExperiment('molding', { source: SOURCE, seed, parameters: { ...TOLD, ...parameters } });
}

describe('a molded log', () => {
  test('has the same rows for the same seed, and rows beside the baseline for every rule', async () => {
    const { rows, figures } = await mold({ shares: 'all,tenth' });
    expect((await mold({ shares: 'all,tenth' })).rows).toEqual(rows);
    expect(rows.map(({ name }) => name)).toEqual([
      'baseline',
      ...['drawn', 'strict'].flatMap((rule) => [
        ...['smallest', 'largest', 'random', 'plan-ahead'].map((strategy) => `${rule} all ${strategy}`),
        `${rule} tenth plan-ahead`,
      ]),
    ]);
    const [baseline, ...others] = rows;
    expect(baseline).toMatchObject({ jobs: 250, reductionPercent: 0, workPercent: 100, resizedPercent: 0 });
    for (const row of others) {
      const percent = 100 * (1 - (row.meanResponseSeconds as number) / (baseline?.meanResponseSeconds as number));
      expect(row.reductionPercent).toBeCloseTo(percent, 0);
      expect(row.utilization).toBeGreaterThan(0);
      expect(row.utilization).toBeLessThanOrEqual(1);
    }
    expect(figures.find(({ title }) => title === 'Load over time')?.series.length).toBe(9);
  });

  test('takes no less work at other sizes under the strict rule, and just as much without growth', async () => {
    const { rows } = await mold({ rules: 'strict', shares: 'all' });
    for (const row of rows) expect(row.workPercent).toBeGreaterThanOrEqual(100);
    const conserved = await mold({ rules: 'strict', shares: 'all', growth: 0 });
    for (const row of conserved.rows) expect(row.workPercent).toBeCloseTo(100, 0);
    expect(conserved.rows.find(({ name }) => name === 'strict all largest')?.resizedPercent).toBeGreaterThan(20);
  });

  test('molds the jobs of a tenth or of one user alone', async () => {
    const { rows } = await mold({ rules: 'strict', shares: 'tenth,one-user', strategies: 'plan-ahead' });
    const [, tenth, user] = rows;
    expect(tenth?.moldedJobs).toBeGreaterThan(10);
    expect(tenth?.moldedJobs).toBeLessThan(50);
    expect(user?.moldedJobs).toBeGreaterThan(0);
    expect(user?.moldedJobs).toBeLessThan(250);
  });

  test('refuses what it has not, and a log too short', async () => {
    await expect(mold({ rules: 'free' })).rejects.toThrow('parameter rules has drawn, strict, not free');
    await expect(mold({ strategies: 'wait/none' })).rejects.toThrow('no wait predictor wait/none');
    const source = { generated: { ...SOURCE.generated, jobs: 20 } };
    await expect(runExperiment('molding', { source })).rejects.toThrow('molding needs 30');
  });
});

describe('the strict rule', () => {
  const own = { processors: 8, walltimeSeconds: 3600, runQuantileSeconds: [600, 1200] };
  const job = { submitAt: 0, processors: 8, walltimeSeconds: 3600, runSeconds: 1000 };
  const runsAt = (processors: number) => {
    const runs = new UserRuns();
    runs.learn('u', processors, 7200, 50);
    return runs.sizesOf('u', 1)[0] as NonNullable<ReturnType<typeof runs.sizesOf>[number]>;
  };
  const random = new RandomStream(1);
  const rule = strictRule(0.1);
  const workAt = (processors: number, limitSeconds = 1e6) => {
    const option = rule.optionAt(own, runsAt(processors), limitSeconds);
    if (!option) return null;
    const { runSeconds } = rule.reshape(job, option, runsAt(processors), random);
    expect(option.runQuantileSeconds[0] as number).toBeCloseTo((600 * runSeconds) / 1000);
    expect(option.walltimeSeconds).toBeGreaterThanOrEqual((3600 * runSeconds) / 1000);
    return processors * runSeconds;
  };

  test('conserves work at smaller sizes and adds a tenth for every doubling', () => {
    expect(workAt(2)).toBeCloseTo(8000);
    expect(workAt(16)).toBeCloseTo(8800);
    expect(workAt(64)).toBeCloseTo(8000 * 1.1 ** 3);
  });

  test('offers no walltime beyond what anybody asked for', () => {
    expect(workAt(2, 14_400)).toBeCloseTo(8000);
    expect(workAt(2, 14_399)).toBeNull();
  });
});

test('of the sizes of a user the most frequent are offered, from small to large', () => {
  const runs = new UserRuns();
  for (const [processors, count] of [
    [4, 3],
    [1, 1],
    [16, 2],
  ] as const) {
    for (let i = 0; i < count; i++) runs.learn('u', processors, 100 * (i + 1), 10 + i);
  }
  expect(runs.sizesOf('u', 2).map(({ processors }) => processors)).toEqual([4, 16]);
  expect(runs.sizesOf('u', 9).map(({ longestWalltimeSeconds }) => longestWalltimeSeconds)).toEqual([100, 300, 200]);
  expect(runs.sizesOf('v', 2)).toEqual([]);
  expect(runs.sizesOf(null, 2)).toEqual([]);
});

test('ranges lie where percentiles are dense, and hold four fifths of them', () => {
  const clusters = Array.from({ length: 99 }, (_, i) => (i < 41 ? 100 + i : i < 59 ? 1000 * i : 90_000 + i));
  const ranges = denseRanges(clusters);
  expect(ranges).toEqual([
    { fromSeconds: 100, toSeconds: 140 },
    { fromSeconds: 90_059, toSeconds: 90_098 },
  ]);
  expect(denseRanges(new Array<number>(99).fill(7))).toEqual([{ fromSeconds: 7, toSeconds: 7 }]);
});

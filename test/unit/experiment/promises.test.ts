import { describe, expect, test } from 'vitest';
import type { ExperimentRow } from '../../../src/experiment/experiment.ts';
import { runExperiment } from '../../../src/experiment/run-experiment.ts';
import { varqExperiment } from '../../../src/experiment/varq.ts';
import { waitExperiment } from '../../../src/experiment/wait.ts';
import { UNKNOWN_ROW, Workload } from '../../../src/sim/workload.ts';

/** Jobs a minute apart that wait 0 to 996 s without pattern, and `poison` more from the 700th on. */
function loggedWaits(poison = 0): Workload {
  const workload = new Workload('SDSC-SP2-like');
  for (let i = 0; i < 900; i++) {
    const waitSeconds = ((i * 7919) % 997) + (i >= 700 ? poison : 0);
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
  });
});

describe('the reservation experiment', () => {
  const at = (load: number) => ({ generated: { seed: 5, load, processors: 64, jobs: 1500 } });
  const parameters = {
    warmUpJobs: 500,
    predictors: 'wait/gridcast',
    recomputeSeconds: 900,
    snapshotSeconds: 600,
    retrySeconds: 900,
  };

  test('on a lightly loaded machine the promises are kept, and one at even odds holds little', async () => {
    const { rows } = await runExperiment('varq', { source: at(0.3), parameters });
    for (const row of rows.filter(({ name }) => name.startsWith('wait/'))) {
      expect(row.accepted as number).toBeGreaterThan(10);
      expect(row.actualShare as number).toBeGreaterThanOrEqual(
        (row.promisedShare as number) - (row.twoStandardErrors as number),
      );
    }
    expect(rows.find(({ name }) => name === 'wait/gridcast/p0.5')?.chargeRatio as number).toBeLessThan(1.5);
  });

  test('on a busy one some are refused, and no forecast accepted is below its promise', async () => {
    const { rows } = await runExperiment('varq', { source: at(0.85), parameters });
    const own = rows.filter(({ name }) => name.startsWith('wait/'));
    expect(own.map(({ name }) => name)).toEqual(['p0.5', 'p0.75', 'p0.95'].map((p) => `wait/gridcast/${p}`));
    for (const row of own) {
      expect(row.forecastShare as number).toBeGreaterThanOrEqual(row.promisedShare as number);
      expect(row.chargeRatio as number).toBeGreaterThanOrEqual(1);
    }
    expect(own.reduce((sum, row) => sum + (row.refusals as number), 0)).toBeGreaterThan(0);
  });

  test('the same seed gives the same rows', async () => {
    const [once, again] = await Promise.all([1, 2].map(() => runExperiment('varq', { source: at(0.6), parameters })));
    expect(numbersOf(once?.rows[3])).toEqual(numbersOf(again?.rows[3]));
    expect(varqExperiment.parts({ predictors: 'a,b' })).toEqual(['a', 'b']);
  });
});

import { beforeAll, describe, expect, test } from 'vitest';
import { driftExperiment, runDrift } from '../../../src/experiment/drift/drift.ts';
import type { ExperimentRow } from '../../../src/experiment/experiment.ts';
import { generateWorkload } from '../../../src/sim/generator.ts';
import { POLICIES } from '../../../src/sim/policy.ts';
import { simulate } from '../../../src/sim/simulate.ts';
import type { Workload } from '../../../src/sim/workload.ts';

const PROCESSORS = 64;

/** A generated log with the waits that its site had under EASY. */
function log(seed: number, load: number): Workload {
  const workload = generateWorkload({ seed, load, processors: PROCESSORS, fromAt: 0 }, 4000);
  const { cluster, jobOf } = simulate(workload, { processors: PROCESSORS, policy: POLICIES.easy });
  const { submitAt, startAt } = cluster.table.columns;
  for (const [row, job] of jobOf.entries()) {
    workload.columns.waitSeconds[job] = (startAt[row] as number) - (submitAt[row] as number);
  }
  return workload;
}

describe('a site whose past was calm and whose queue now grows', () => {
  const past = log(1, 0.4);
  const present = log(2, 1.1);
  const rowsWith = (variant: string): readonly ExperimentRow[] => {
    const parameters = { ...driftExperiment.parameters, days: 3, pastDays: 15 };
    return runDrift({ past, present, variant }, { workload: present, seed: 1, parameters, onProgress: () => {} });
  };
  let unheeding: readonly ExperimentRow[];
  let heeding: readonly ExperimentRow[];
  beforeAll(() => {
    unheeding = rowsWith('heeds=past');
    heeding = rowsWith('heeds=present');
  }, 600_000);

  test('keeps less than it promises from the second day on when it heeds its past alone', () => {
    const [later] = unheeding;
    expect(later?.shortfall).toBeGreaterThan(later?.twoStandardErrors as number);
  });

  test('keeps what it promises from the second day on when it heeds its present', () => {
    const [later] = heeding;
    expect(later?.accepted).toBeGreaterThan(30);
    expect(later?.shortfall).toBeLessThan(later?.twoStandardErrors as number);
  });

  test('withholds promises on the first day, and falls less short on it', () => {
    const [, first] = heeding;
    expect(first?.withheld).toBeGreaterThan(0);
    expect(first?.shortfall).toBeLessThan(unheeding[1]?.shortfall as number);
  });
});

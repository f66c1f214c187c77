import { expect, test } from 'vitest';
import { runExperiment } from '../../../src/experiment/run/run-experiment.ts';
import { foreseenTurnarounds } from '../../../src/experiment/turnaround/foreseen-turnarounds.ts';
import { knowledgeNamed } from '../../../src/experiment/turnaround/knowledge.ts';
import { generateWorkload } from '../../../src/sim/generator.ts';
import { POLICIES } from '../../../src/sim/policy.ts';
import { toRecords } from '../../../src/sim/records.ts';
import { simulate } from '../../../src/sim/simulate.ts';
import type { Workload } from '../../../src/sim/workload.ts';

const JOBS = 500;
const drawn = () => generateWorkload({ seed: 5, load: 0.9, processors: 64, fromAt: 0 }, JOBS);

function foreseenBy(name: string, workload: Workload) {
  const knowledge = knowledgeNamed(name, { settings: '', seed: 1 });
  const told = { processors: 64, records: toRecords(workload), from: 100, every: 1, onProgress: () => {} };
  return new Map(foreseenTurnarounds(workload, knowledge, told).map((one) => [one.number, one]));
}

/** The same log where every job that has not ended by a moment runs otherwise than it would. */
function poisonedFrom(untilAt: number): Workload {
  const workload = drawn();
  const { cluster, jobOf } = simulate(workload, { processors: 64, policy: POLICIES.easy });
  const { startAt, endAt } = cluster.table.columns;
  const { runSeconds } = workload.columns;
  for (const [row, number] of jobOf.entries()) {
    if ((endAt[row] as number) <= untilAt) continue;
    const ranSeconds = Math.max(0, untilAt - (startAt[row] as number));
    runSeconds[number] = Math.min(runSeconds[number] as number, ranSeconds + 1 + (number % 7));
  }
  return workload;
}

test.each(['baseline/last-two', 'baseline/last-two*4'])('what %s foresees rests on nothing of the future', (name) => {
  const untilAt = drawn().columns.submitAt[300] as number;
  const before = foreseenBy(name, drawn());
  const after = foreseenBy(name, poisonedFrom(untilAt));
  const said = (all: typeof before) => Array.from({ length: 200 }, (_, index) => all.get(100 + index)?.saidSeconds);
  expect(said(after)).toEqual(said(before));
  expect([...after.values()].some(({ number, endAt }) => endAt !== before.get(number)?.endAt)).toBe(true);
});

test('the truth foresees a turnaround exactly where nobody who comes later is in the way', () => {
  const foreseen = [...foreseenBy('true', drawn()).values()];
  expect(foreseen).toHaveLength(JOBS - 100);
  const exact = foreseen.filter(({ saidSeconds, submitAt, endAt }) => saidSeconds === endAt - submitAt);
  expect(exact.length).toBeGreaterThan(300);
  expect(foreseen.filter(({ hasWaited }) => !hasWaited).every((one) => exact.includes(one))).toBe(true);
});

test('rows tell how much is gained over requested times, and the bound', async () => {
  const source = { generated: { seed: 5, load: 0.9, processors: 64, jobs: JOBS } };
  const parameters = { history: 100, runtimes: 'baseline/requested,baseline/last-two*4,true' };
  const { rows } = await runExperiment('turnaround', { source, parameters });
  const [, , requested, foreseen, truth] = rows;
  expect(requested).toMatchObject({ name: 'baseline/requested', gainPoints: 0, jobs: JOBS - 100 });
  expect(foreseen?.name).toBe('baseline/last-two*4');
  expect(Number(truth?.gainPoints)).toBeGreaterThan(Number(requested?.gainPoints));
  const told = runExperiment('turnaround', { source, parameters: { runtimes: 'true*x' } });
  await expect(told).rejects.toThrow('true*x');
});

import { expect, test } from 'vitest';
import { withinRequest } from '../../../src/experiment/deadline/drawn-jobs.ts';
import { runExperiment } from '../../../src/experiment/run/run-experiment.ts';
import { UNKNOWN_ROW, Workload } from '../../../src/sim/workload.ts';
import { generatedLog } from './promises-of-a-log.ts';

const QUICK = {
  waits: 'wait/qbets',
  runtimes: 'runtime/recent-use',
  deadlines: 300,
  warmUpJobs: 400,
  snapshotSeconds: 600,
  recomputeSeconds: 1800,
};

test('deadlines on offer are kept as often as promised, and cost less than reserving', {
  timeout: 60_000,
}, async () => {
  const { rows } = await runExperiment('deadline', { source: generatedLog(0.7, 1600), parameters: QUICK });
  expect(rows.map(({ name }) => name)).toEqual(
    ['finish', 'later', 'reserve'].flatMap((word) => [0.5, 0.8, 0.95].map((p) => `${word}/p${p}`)),
  );
  const rowOf = (name: string) => rows.find((row) => row.name === name) as Record<string, number>;
  for (const probability of [0.5, 0.8, 0.95]) {
    const finish = rowOf(`finish/p${probability}`);
    expect(finish.promisedShare).toBe(probability);
    expect(finish.accepted).toBeGreaterThan(50);
    // Twice what is claimed of logs, for a log that is a tenth as long.
    expect(Math.abs(Number(finish.actualShare) - probability)).toBeLessThan(2 * Number(finish.twoStandardErrors));
    const later = rowOf(`later/p${probability}`);
    expect(later.promisedShare).toBeGreaterThanOrEqual(probability);
    const reserved = rowOf(`reserve/p${probability}`);
    if (Number(reserved.accepted) > 20) expect(later.chargeRatio).toBeLessThanOrEqual(Number(reserved.chargeRatio));
  }
});

test('the same seed gives the same rows, and a part that does not exist is named', async () => {
  const parameters = { ...QUICK, parts: 'finish', deadlines: 60 };
  const run = () => runExperiment('deadline', { source: generatedLog(0.5, 800), parameters });
  expect((await run()).rows).toEqual((await run()).rows);
  const parts = runExperiment('deadline', {
    source: generatedLog(0.5, 800),
    parameters: { ...parameters, parts: 'end' },
  });
  await expect(parts).rejects.toThrow('deadline has no part end; it has finish and reserve');
});

test('a job that ran beyond its request is one that was killed by it', () => {
  const log = new Workload('log');
  log.add({ ...UNKNOWN_ROW, runSeconds: 700, requestedSeconds: 600 });
  log.add({ ...UNKNOWN_ROW, runSeconds: 700, requestedSeconds: -1 });
  expect([...withinRequest(log).columns.runSeconds.subarray(0, 2)]).toEqual([600, 700]);
  expect(log.columns.runSeconds[0]).toBe(700);
});

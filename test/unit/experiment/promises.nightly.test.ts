import { expect, test } from 'vitest';
import { runExperiment } from '../../../src/experiment/run/run-experiment.ts';
import { expectShareOfHalf, generatedLog, PROMISES } from './promises-of-a-log.ts';

test('a share of a longer log: promises at every probability are made', { timeout: 300_000 }, async () => {
  const parameters = { ...PROMISES, warmUpJobs: 500, share: 50 };
  const { rows } = await runExperiment('varq', { source: generatedLog(0.5, 1500), parameters });
  expectShareOfHalf(rows, 1000);
  for (const row of rows.slice(3)) {
    expect(row.accepted as number).toBeGreaterThan((row.promisedShare as number) < 0.9 ? 50 : 10);
  }
});

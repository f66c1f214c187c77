import { expect, test } from 'vitest';
import { runExperiment } from '../../../src/experiment/run/run-experiment.ts';

const source = { generated: { seed: 1, load: 0.8, processors: 64, jobs: 6000 } };

test('a generated site that is up raises few alarms, one that goes down is seen to', async () => {
  const { rows } = await runExperiment('down-time', {
    source,
    parameters: { warmUpDays: 5, everyDays: 4, processors: 64 },
  });
  const row = (name: string) => rows.find((one) => one.name === `down-time/${name}`);
  expect(row('healthy')).toMatchObject({ outages: 0 });
  expect(row('healthy')?.falsePer30Days).toBeLessThan(3);
  expect(row('healthy')?.falseShareOfTime).toBeLessThanOrEqual(0.02);
  expect(row('down')?.outages).toBe(10);
  expect(row('down')?.seen).toBeGreaterThanOrEqual(8);
  expect(row('down')?.medianDelayMinutes).toBeLessThan(40);
});

import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { runExperiment } from '../../../src/experiment/run/run-experiment.ts';

const SOURCE = { generated: { seed: 5, load: 0.8, processors: 64, jobs: 20_000 } };

test('when a part fails, no other one goes on', async () => {
  let ended = false;
  let after = 0;
  const run = runExperiment('runtime', {
    source: SOURCE,
    parameters: {
      predictors: 'baseline/requested,runtime/gridcast,runtime/gridcast',
      settings: '{"baseline/requested":{"none":1}}',
    },
    threads: 2,
    onProgress: () => {
      if (ended) after++;
    },
  });
  await expect(run).rejects.toThrow(/has no parameter none/);
  ended = true;
  await sleep(1_500);
  expect(after).toBe(0);
});

test('waits of a workload that tells none are refused before any is forecast', async () => {
  let progress = 0;
  const run = runExperiment('wait', { source: SOURCE, parameters: {}, onProgress: () => progress++ });
  await expect(run).rejects.toThrow(/tells no wait.*--trace/);
  expect(progress).toBe(0);
});

import { expect, test } from 'vitest';
import { resourceSite, withoutResources } from '../../../src/experiment/resources/resource-site.ts';
import { resourcesExperiment } from '../../../src/experiment/resources/resources.ts';
import { runExperiment } from '../../../src/experiment/run/run-experiment.ts';
import { generateWorkload } from '../../../src/sim/generator.ts';

const generated = { seed: 3, load: 0.6, processors: 64, jobs: 250 };
const parameters = { gpuNodes: 2, predictor: 'baseline/median' };

test('the site has two partitions, of which one runs out of GPUs and never of processors', () => {
  const workload = generateWorkload({ ...generated, fromAt: 0 }, generated.jobs);
  const site = resourceSite(workload, 1, { ...resourcesExperiment.parameters, ...parameters });
  expect(site.parts).toMatchObject([
    { queues: ['cpu'], processors: 64, gpus: 0 },
    { queues: ['gpu'], processors: 128, gpus: 8 },
  ]);
  const onGpus = site.records.filter(({ gpus }) => gpus !== undefined);
  expect(onGpus.length).toBeGreaterThan(30);
  expect(onGpus.every(({ queue, processors, gpus = 0 }) => queue === 'gpu' && processors === 4 * gpus)).toBe(true);
  for (const { startAt } of onGpus) {
    const then = onGpus.filter((job) => (job.startAt ?? 0) <= (startAt ?? 0) && (job.endAt ?? 0) > (startAt ?? 0));
    expect(then.reduce((sum, { gpus = 0 }) => sum + gpus, 0)).toBeLessThanOrEqual(8);
  }
  const blind = withoutResources(site);
  expect(blind.parts).toEqual([]);
  expect(blind.records.some((job) => 'gpus' in job)).toBe(false);
  expect(blind.records.map(({ startAt }) => startAt)).toEqual(site.records.map(({ startAt }) => startAt));
});

test('each partition has a row with and one without what is known of resources, of the same jobs', async () => {
  const { rows } = await runExperiment('resources', { source: { generated }, parameters });
  expect(rows.map(({ name }) => name)).toEqual(['cpu with', 'gpu with', 'cpu without', 'gpu without']);
  const [cpu, gpu, ...blind] = rows;
  expect(blind).toMatchObject([
    { jobs: cpu?.jobs, promises: cpu?.promises },
    { jobs: gpu?.jobs, promises: gpu?.promises },
  ]);
  // A predictor that knows neither queue nor GPU says the same.
  expect(blind.map(({ name: _name, ...row }) => row)).toEqual(rows.slice(0, 2).map(({ name: _name, ...row }) => row));
});

import { expect, test } from 'vitest';
import { schemaFaults } from '../../../adapters/shared/schema-faults.ts';
import { simulatedSiteConfig } from '../../../adapters/simulator/config.ts';
import { faultsConfig } from '../../../adapters/simulator/faults.ts';
import { simulatorConfig } from '../../../adapters/simulator/simulator.ts';

const generated = { seed: 1, load: 0.7 };
const site = { name: 'alder', processors: 128, workload: { generated } };

const faultsOf = (changes: object) => schemaFaults(simulatedSiteConfig, { ...site, ...changes }, 'the site');

test('a field that a simulated site has not is refused wherever it stands', () => {
  expect(faultsOf({})).toEqual([]);
  const queue = { name: 'batch', maxProcessor: 3 };
  const nodes = { processors: 4, memoryMebibytes: 100, gpu: [] };
  expect(faultsOf({ warmdays: 3, queues: [queue], node: nodes })).toEqual([
    'node: there is no field "gpu"; did you mean "gpus"?',
    'queues.0: there is no field "maxProcessor"; did you mean "maxProcessors"?',
    'the site: there is no field "warmdays"; did you mean "warmDays"?',
  ]);
  expect(faultsOf({ workload: { generated: { ...generated, user: 3 } } })).toEqual([
    'workload.generated: there is no field "user"; did you mean "users"?',
  ]);
  expect(faultsOf({ outages: [{ kind: 'down', afterSecond: 3 }] }).join()).toContain('"afterSecond"; did you mean');
  expect(schemaFaults(faultsConfig, { unavailabel: [] }, 'faults').join()).toContain('did you mean "unavailable"');
  const reached = { url: 'http://localhost:1', site: 'alder', timeoutMillisecond: 3 };
  expect(schemaFaults(simulatorConfig, reached, 'the configuration').join()).toContain('"timeoutMilliseconds"');
});

test('a workload is generated, or read, and never both', () => {
  const neither = ['workload: must have one of generated and trace'];
  expect(faultsOf({ workload: {} })).toEqual(neither);
  expect(faultsOf({ workload: { generated, trace: { file: 'a.swf' } } })).toEqual(neither);
  expect(faultsOf({ workload: { trace: { file: 'a.swf' } } })).toEqual([]);
});

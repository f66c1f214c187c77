import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { adapters } from '../../adapters/index.ts';
import { type Lab, labMissing, startLab, WHOLE_LAB } from '../lab/lab.ts';
import { labSites } from '../lab/sites.ts';
import { realTime } from './conformance/real-site.ts';

const missing = labMissing(WHOLE_LAB);
if (missing) test('the whole lab', ({ skip }) => skip(missing));
else describe('the whole lab', describeWholeLab);

const SITES = ['alpha', 'beta', 'epsilon', 'gamma', 'delta'] as const;

function describeWholeLab(): void {
  let lab: Lab;
  beforeAll(async () => {
    lab = await startLab(WHOLE_LAB);
  });
  afterAll(() => lab?.stop());

  test('Slurm is there in its three ways, and Grid Engine and OAR', () => {
    const ways = labSites(lab).map(({ name, adapter, configuration: { transport } }) => {
      return [name, adapter, (transport as { kind: string } | undefined)?.kind ?? 'local'];
    });
    expect(ways).toEqual([
      ['alpha', 'slurm', 'local'],
      ['beta', 'slurm', 'rest'],
      ['epsilon', 'slurm', 'ssh'],
      ['gamma', 'gridengine', 'local'],
      ['delta', 'oar', 'local'],
    ]);
  });

  test.for(SITES)('%s takes jobs as it is registered, cancels one, and tells how they ended', async (name) => {
    const site = labSites(lab).find((candidate) => candidate.name === name);
    if (!site) throw new Error(`the lab has no site ${name}`);
    const adapter = adapters.connect(site.adapter, site.configuration);
    try {
      expect((await adapter.facts()).processors).toBeGreaterThanOrEqual(16);
      const job = { name: 'whole', arguments: [], processors: 1, walltimeSeconds: 60, queue: null };
      const { submittedAt } = await adapter.submit({ ...job, script: '#!/bin/sh\ntrue\n' }, `whole-${name}`);
      const endless = await adapter.submit({ ...job, script: '#!/bin/sh\nsleep 3000\n' }, `endless-${name}`);
      const { waiting, running } = await adapter.snapshot();
      expect([...waiting, ...running].map(({ key }) => key)).toContain(`endless-${name}`);
      await adapter.cancel(endless);
      for (const [key, outcome] of [
        [`whole-${name}`, 'COMPLETED'],
        [`endless-${name}`, 'CANCELLED'],
      ] as const) {
        await realTime.until(`${key} is ${outcome}`, async () => {
          const ended = await adapter.find(key, submittedAt);
          return ended?.state === 'ENDED' && ended.outcome === outcome;
        });
      }
    } finally {
      await adapter.close();
    }
  });
}

import { afterAll, beforeAll, expect, test } from 'vitest';
import { createSlurmAdapter } from '../../adapters/slurm/slurm.ts';
import { type Lab, labMissing, startLab } from '../lab/lab.ts';
import { RESERVE } from '../service/graphql/documents.ts';
import { openFolder } from './conformance/real-site.ts';
import { startLiveService } from './live-service.ts';
import { SLURM_LAB, SLURM_WAYS, slurmConfig } from './slurm-ways.ts';

const missing = labMissing(SLURM_LAB);
const folder = openFolder();
let lab: Lab;
beforeAll(async () => {
  if (missing) return;
  lab = await startLab(SLURM_LAB);
  const cluster = lab.cluster('alpha');
  const window = ['starttime=now+30minutes', 'duration=60', 'flags=maint,ignore_jobs', 'nodes=ALL', 'users=root'];
  cluster.mustRun(['scontrol', 'create', 'reservation', 'reservationname=service', ...window]);
  cluster.mustRun(['scontrol', 'update', 'partitionname=short', 'state=drain']);
  const theirs = ['partitionname=theirs', 'nodes=ALL', 'allowgroups=root'];
  cluster.mustRun(['scontrol', 'create', ...theirs]);
});
afterAll(async () => {
  await lab?.stop();
  folder.remove();
});

test.skipIf(missing !== null).each(SLURM_WAYS)('maintenance and queues that are down are facts, by %s', async (way) => {
  const adapter = createSlurmAdapter(slurmConfig(lab, way, folder.path));
  try {
    const { maintenance, queues } = await adapter.facts();
    expect(maintenance).toMatchObject([{ processors: null, reason: 'maintenance service' }]);
    const [window] = maintenance ?? [];
    expect((window?.endAt ?? 0) - (window?.startAt ?? 0)).toBe(3600);
    const bars = Object.fromEntries(queues.map(({ name, bar }) => [name, bar]));
    expect(bars).toMatchObject({ batch: null, short: 'DOWN' });
    // slurmrestd shows every partition to everybody, and does not say in which groups one is.
    if (way !== 'rest') expect(bars).toMatchObject({ theirs: 'FORBIDDEN' });
  } finally {
    await adapter.close();
  }
});

test.skipIf(missing !== null)(
  'nothing is promised into a maintenance',
  async () => {
    const site = { name: 'alpha', adapter: 'slurm', configuration: slurmConfig(lab, 'commands', folder.path) };
    const service = await startLiveService([site]);
    try {
      const SITE = 'query Site($id: ID!) { site(id: $id) { usableProcessors maintenance { processors reason } } }';
      const { site: shown } = await service.ask(SITE, { id: service.sites.alpha });
      expect(shown).toEqual({
        usableProcessors: 16,
        maintenance: [{ processors: null, reason: 'maintenance service' }],
      });
      const FORECASTS = `query Forecasts($seconds: Int!) {
        forecasts(input: { processors: 2, walltimeSeconds: $seconds }) {
          forecast { putOff { startAt explanation maintenance { startAt endAt processors reason } } }
        }
        plan(input: { processors: 2, walltimeSeconds: $seconds }) { chosen { forecast { putOff { startAt } } } }
      }`;
      const { forecasts: brief } = await service.ask(FORECASTS, { seconds: 60 });
      expect(brief).toEqual([{ forecast: { putOff: null } }]);
      const { forecasts, plan } = await service.ask(FORECASTS, { seconds: 7200 });
      const { putOff } = forecasts[0].forecast;
      expect(putOff.maintenance).toMatchObject({ endAt: putOff.startAt, reason: 'maintenance service' });
      expect(putOff.explanation).toMatch(/^it starts there at .*Z at the earliest: alpha has set all processors aside/);
      expect(plan.chosen.forecast.putOff).toEqual({ startAt: putOff.startAt });
      const work = { name: 'p', script: '#!/bin/sh\ntrue\n', processors: 2, walltimeSeconds: 3600, probability: 0.1 };
      const startAt = new Date(Date.now() + 300_000).toISOString();
      const { reserve } = await service.ask(RESERVE, { input: { ...work, startAt } });
      expect(reserve.userErrors).toMatchObject([{ code: 'NO_ELIGIBLE_SITE', field: 'input.startAt' }]);
      expect(reserve.userErrors[0].message).toContain('maintenance service');
    } finally {
      await service.close();
    }
  },
  120_000,
);

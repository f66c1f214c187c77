import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createSlurmAdapter } from '../../adapters/slurm/slurm.ts';
import type { SiteAdapter } from '../../src/domain/site-adapter.ts';
import type { WaitingJob } from '../../src/domain/snapshot.ts';
import { type Lab, labMissing, startLab } from '../lab/lab.ts';
import { SUBMIT } from '../service/graphql/documents.ts';
import { openFolder, realTime } from './conformance/real-site.ts';
import { startLiveService } from './live-service.ts';
import { SLURM_LAB, SLURM_WAYS, slurmConfig } from './slurm-ways.ts';

const missing = labMissing(SLURM_LAB);

describe.skipIf(missing !== null)(`what Slurm says of jobs that wait ${missing ?? ''}`, () => {
  let lab: Lab;
  const folder = openFolder();
  beforeAll(async () => {
    lab = await startLab(SLURM_LAB);
  });
  afterAll(async () => {
    await lab?.stop();
    folder.remove();
  });

  const job = { name: 'waits', script: '#!/bin/sh\nsleep 1\n', arguments: [], processors: 16, walltimeSeconds: 3600 };
  const scontrol = (...words: string[]) => lab.cluster('alpha').mustRun(['scontrol', ...words]);

  describe.each(SLURM_WAYS)('by %s', (way) => {
    let adapter: SiteAdapter;
    beforeAll(() => {
      adapter = createSlurmAdapter(slurmConfig(lab, way, folder.path));
    });
    afterAll(() => adapter?.close());

    /** The waiting job with that id, once it looks as expected. */
    async function untilSeen(nativeId: string, matches: (seen: WaitingJob) => boolean): Promise<WaitingJob> {
      let seen: WaitingJob | undefined;
      await realTime.until('the job is seen so', async () => {
        seen = (await adapter.snapshot()).waiting.find((waiting) => waiting.nativeId === nativeId);
        return seen !== undefined && matches(seen);
      });
      return seen as WaitingJob;
    }

    test('a maintenance, an administrator, the others: each is named, with start and priority', async () => {
      const maintenance = [
        'starttime=now+20minutes',
        'duration=30',
        'flags=maint,ignore_jobs',
        'nodes=ALL',
        'users=root',
      ];
      scontrol('create', 'reservation', `reservationname=${way}`, ...maintenance);
      const { nativeId } = await adapter.submit({ ...job, queue: null }, `words-${way}`);
      try {
        const kept = await untilSeen(nativeId, ({ reason, estimatedStartAt }) =>
          Boolean(reason?.startsWith('ReqNodeNotAvail') && estimatedStartAt),
        );
        expect(kept.estimatedStartAt).toBeGreaterThan(realTime.now() + 1200);
        expect(kept.priority).toBeGreaterThan(0);
        scontrol('hold', nativeId);
        expect(await untilSeen(nativeId, ({ reason }) => reason === 'JobHeldAdmin')).toMatchObject({ priority: 0 });
      } finally {
        lab.cluster('alpha').mustRun(['scancel', nativeId]);
        scontrol('delete', `reservationname=${way}`);
      }
    });
  });

  test('a job shows what its site says of it for as long as it waits there, and of that attempt alone', async () => {
    const site = { name: 'alpha', adapter: 'slurm', configuration: slurmConfig(lab, 'commands', folder.path) };
    const service = await startLiveService([site]);
    const JOB =
      'query Job($id: ID!) { job(id: $id) { state nativeId reason siteReason siteEstimatedStartAt sitePriority } }';
    try {
      const input = { ...job, processors: 1, walltimeSeconds: 60, queue: 'short' };
      scontrol('update', 'partitionname=short', 'state=down');
      const { submitJob } = await service.ask(SUBMIT, { input });
      expect(submitJob.userErrors).toEqual([]);
      const { id } = submitJob.job;
      type Data = { job: { state: string; nativeId: string; siteReason: string | null } };
      const isDown = (data: Data) => data.job.siteReason === 'PartitionDown';
      const { job: waiting } = await service.askUntil('its site says why it waits', JOB, { id }, isDown);
      expect(waiting).toMatchObject({ state: 'QUEUED', sitePriority: expect.any(Number) });
      scontrol('update', 'partitionname=short', 'state=up');
      const hasBegun = (data: Data) => ['RUNNING', 'ENDED'].includes(data.job.state);
      const { job: begun } = await service.askUntil('it has begun', JOB, { id }, hasBegun);
      expect(begun).toMatchObject({ siteReason: null, siteEstimatedStartAt: null, sitePriority: null });
    } finally {
      await service.close();
    }
  }, 180_000);
});

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type AccountedRun, heldProcessorSeconds } from '../lab/compare/accounted-run.ts';
import { slurmRuns } from '../lab/compare/slurm-runs.ts';
import { type Lab, type LabSpec, labMissing, startLab } from '../lab/lab.ts';
import type { SlurmCluster } from '../lab/slurm/cluster.ts';
import { CANCEL_JOB, IMPORT_HISTORY, RESERVE, SUBMIT } from '../service/graphql/documents.ts';
import { openFolder, realTime } from './conformance/real-site.ts';
import { type LiveService, startLiveService } from './live-service.ts';
import { pastMonth } from './past-month.ts';
import { slurmConfig } from './slurm-ways.ts';

// Jobs of the partition `short` take the processors of those in `batch`, which are put back into the queue.
const parameters = { PreemptType: 'preempt/partition_prio', PreemptMode: 'REQUEUE' };
const SPEC: LabSpec = {
  clusters: [
    { name: 'alpha', nodes: 2, processorsPerNode: 4, accounting: true, rest: true, parameters },
    { name: 'beta', nodes: 2, processorsPerNode: 4, accounting: false, rest: false, parameters },
  ],
};
const LEAD_SECONDS = 60;
const JOB = 'query Job($id: ID!) { job(id: $id) { state nativeId outcome charges { kind processorSeconds } } }';
interface Job {
  readonly state: string;
  readonly nativeId: string;
  readonly charges: readonly { readonly kind: string; readonly processorSeconds: number }[];
}

/** A site's name, which says how we ask it, and its cluster. */
type Way = readonly ['commands' | 'rest' | 'file', 'alpha' | 'beta'];

/** What Slurm has put back into its queue is charged as its accounting says: jobs in each of these ways, a promise. */
export function describeRequeues(ways: readonly Way[], options: { readonly hasPromise: boolean }): void {
  const missing = labMissing(SPEC);
  if (missing) test('a run that its site took back is charged', ({ skip }) => skip(missing));
  else
    describe('what Slurm has put back into its queue is charged as its accounting says', () => {
      requeue(ways, options);
    });
}

function requeue(ways: readonly Way[], { hasPromise }: { readonly hasPromise: boolean }): void {
  let lab: Lab;
  let service: LiveService;
  const shared = openFolder();

  beforeAll(async () => {
    lab = await startLab(SPEC);
    service = await startLiveService([
      { name: 'commands', adapter: 'slurm', configuration: slurmConfig(lab, 'commands', shared.path) },
      { name: 'rest', adapter: 'slurm', configuration: slurmConfig(lab, 'rest', shared.path) },
      { name: 'file', adapter: 'slurm', configuration: completionsConfig(lab.cluster('beta'), shared.path) },
    ]);
  });
  afterAll(async () => {
    await service?.close();
    await lab?.stop();
    shared.remove();
  });

  test.for(ways)('requeued by hand, then preempted, by %s', async ([site, name]) => {
    const cluster = lab.cluster(name);
    const id = await submit(site, 10);
    const { nativeId } = await until('it runs', id, ({ state }) => state === 'RUNNING');
    cluster.mustRun(['scontrol', 'requeue', nativeId]);
    await until('it is seen to wait again', id, ({ state }) => state === 'QUEUED');
    await startAgain(cluster, nativeId);
    // Its second run may be one that no look of ours sees.
    cluster.mustRun([
      'sbatch',
      '--partition=short',
      '--nodes=2',
      '--exclusive',
      '--wrap=sleep 3',
      '--output=/dev/null',
    ]);
    await realTime.until('it is preempted', async () => stateOf(cluster, nativeId) === 'PENDING');
    await startAgain(cluster, nativeId);

    const charges = await settled(id);
    const runs = await endedRuns(cluster, nativeId, 3);
    expect(charges).toEqual({ LOST: sumOf(runs.slice(0, 2)), NEEDED: sumOf(runs.slice(2)) });
    expect(charges.LOST).toBeGreaterThan(0);
  });

  test.for(ways)('requeued under another name it stays one job, and a cancellation reaches it, by %s', async ([
    site,
    name,
  ]) => {
    const cluster = lab.cluster(name);
    const id = await submit(site, 300);
    const { nativeId } = await until('it runs', id, ({ state }) => state === 'RUNNING');
    await realTime.until('it has held processors', async () => Number(secondsOf(cluster, nativeId)) >= 2);
    cluster.mustRun(['scontrol', 'update', `jobid=${nativeId}`, 'name=phase1']);
    cluster.mustRun(['scontrol', 'requeue', nativeId]);
    await until('it is seen to wait again', id, ({ state }) => state === 'QUEUED');
    await startAgain(cluster, nativeId);
    const again = await until('it is seen to run again', id, ({ state }) => state === 'RUNNING');
    expect(again.nativeId).toBe(nativeId);
    await service.ask(CANCEL_JOB, { input: { id } });
    const charges = await settled(id);
    const runs = await endedRuns(cluster, nativeId, 2);
    expect(charges).toEqual({ LOST: sumOf(runs.slice(0, 1)), NEEDED: sumOf(runs.slice(1)) });
  });

  test.for(ways)('requeued and cancelled before it starts again, by %s', async ([site, name]) => {
    const cluster = lab.cluster(name);
    const id = await submit(site, 60);
    const { nativeId } = await until('it runs', id, ({ state }) => state === 'RUNNING');
    await realTime.until('it has held processors', async () => Number(secondsOf(cluster, nativeId)) >= 2);
    cluster.mustRun(['scontrol', 'requeuehold', nativeId]);
    await until('it is seen to wait again', id, ({ state }) => state === 'QUEUED');
    const { cancelJob } = await service.ask(CANCEL_JOB, { input: { id } });
    expect(cancelJob.userErrors).toEqual([]);

    const charges = await settled(id);
    const runs = await endedRuns(cluster, nativeId, 2);
    expect(charges).toEqual({ LOST: sumOf(runs) });
    expect(charges.LOST).toBeGreaterThan(0);
  });

  if (hasPromise)
    test('a promise that is put back while it holds is charged for that, and kept', async () => {
      const cluster = lab.cluster('alpha');
      const siteId = service.sites.commands;
      const { importHistory } = await service.ask(IMPORT_HISTORY, { input: { siteId, content: pastMonth(() => 1) } });
      expect(importHistory).toMatchObject({ userErrors: [] });
      const startAt = Math.ceil(Date.now() / 1000 + LEAD_SECONDS);
      const terms = { startAt: new Date(startAt * 1000).toISOString(), probability: 0.5, siteIds: [siteId] };
      const { reserve } = await service.ask(RESERVE, { input: { ...work('promised', 5), ...terms } });
      expect(reserve.userErrors).toEqual([]);
      const { id } = reserve.reservation.job;
      const { nativeId } = await until('it holds', id, ({ state }) => state === 'RUNNING');
      // Slurm fails a job that is put back in the second of its start.
      await realTime.until('it has held processors', async () => Number(secondsOf(cluster, nativeId)) >= 2);
      cluster.mustRun(['scontrol', 'requeue', nativeId]);
      await realTime.until('it waits again', async () => stateOf(cluster, nativeId) === 'PENDING');
      await startAgain(cluster, nativeId);

      const charges = await settled(id);
      const [first, last] = await endedRuns(cluster, nativeId, 2);
      if (!first || !last) throw new Error('there are two runs');
      expect(last.startAt).toBeLessThan(startAt);
      const padding = { ...last, endAt: startAt };
      const needed = { ...last, startAt };
      expect(charges).toEqual({ LOST: sumOf([first]), PADDING: sumOf([padding]), NEEDED: sumOf([needed]) });
      const KEPT = 'query Reservation($id: ID!) { reservation(id: $id) { state } }';
      expect((await service.ask(KEPT, { id: reserve.reservation.id })).reservation.state).toBe('KEPT');
    });

  async function submit(site: string, seconds: number): Promise<string> {
    const input = { ...work('requeued', seconds), siteIds: [service.sites[site]] };
    const { submitJob } = await service.ask(SUBMIT, { input });
    expect(submitJob.userErrors).toEqual([]);
    return submitJob.job.id;
  }

  async function until(what: string, id: string, condition: (job: Job) => boolean): Promise<Job> {
    return (await service.askUntil(what, JOB, { id }, ({ job }) => condition(job), 90)).job;
  }

  async function settled(id: string): Promise<Record<string, number>> {
    const { charges } = await until('it is settled', id, (job) => job.state === 'ENDED' && job.charges.length > 0);
    return Object.fromEntries(charges.map(({ kind, processorSeconds }) => [kind, processorSeconds]));
  }
}

function work(name: string, seconds: number) {
  const script = `#!/bin/sh\nsleep ${seconds}\n`;
  return { name, script, processors: 2, walltimeSeconds: 120, queue: 'batch' };
}

/** Every run of a job that is over, in their order, once accounting has as many. */
async function endedRuns(cluster: SlurmCluster, nativeId: string, count: number): Promise<AccountedRun[]> {
  const read = () => slurmRuns(cluster, 'alice').filter((run) => run.nativeId === nativeId && run.state === 'ENDED');
  await realTime.until(`accounting has ${count} runs of it`, async () => read().length === count);
  return read();
}

function sumOf(runs: readonly AccountedRun[]): number {
  return runs.reduce((sum, run) => sum + heldProcessorSeconds(run), 0);
}

/**
 * Slurm lets a job that it has put back wait for some time; an administrator need not. Its first run is cleaned up by
 * then: a second one that is let start in the same second fails. He says so until it runs, for Slurm sets the moment
 * anew when it has cleaned up.
 */
async function startAgain(cluster: SlurmCluster, nativeId: string): Promise<void> {
  const cleanAt = performance.now() + CLEAN_UP_MILLISECONDS;
  await realTime.until('it runs again', async () => {
    if (stateOf(cluster, nativeId) === 'RUNNING') return true;
    if (performance.now() >= cleanAt) cluster.run(['scontrol', 'update', `jobid=${nativeId}`, 'starttime=now']);
    return false;
  });
  await realTime.until('it has held processors', async () => Number(secondsOf(cluster, nativeId)) >= 2);
}

const CLEAN_UP_MILLISECONDS = 5000;

function stateOf(cluster: SlurmCluster, nativeId: string): string {
  return cluster.mustRun(['squeue', '--noheader', `--jobs=${nativeId}`, '--format=%T']).trim();
}

/** For how long it has run; `0:07` is seven seconds. */
function secondsOf(cluster: SlurmCluster, nativeId: string): string {
  return (
    cluster
      .mustRun(['squeue', '--noheader', `--jobs=${nativeId}`, '--format=%M'])
      .trim()
      .split(':')
      .at(-1) ?? ''
  );
}

function completionsConfig(cluster: SlurmCluster, workFolder: string) {
  const environment = cluster.clientEnvironment('alice');
  const accounting = { kind: 'jobcomp', file: cluster.files.jobCompletions };
  return { transport: { kind: 'local' }, environment, accountingLagSeconds: 5, workFolder, accounting };
}

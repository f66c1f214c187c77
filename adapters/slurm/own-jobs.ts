import { setTimeout as sleep } from 'node:timers/promises';
import type { EpochSeconds } from '../../src/domain/clock.ts';
import { Unavailable, Unknown } from '../../src/domain/failures.ts';
import type { NativeJob, NativeRef } from '../../src/domain/site-adapter.ts';
import { jobNameOf } from '../shared/job-name.ts';
import { presentMoment } from '../shared/present-moment.ts';
import type { EndedQuery } from './client.ts';
import type { SlurmSite } from './connect.ts';
import { hasEnded, isLive, type SlurmJob } from './slurm-job.ts';
import { asNativeJob, earlierRunSeconds, newestRun, runOf, together } from './understand.ts';
import { wasKilled } from './use.ts';

/** Seconds by which the site's clock may be behind ours. */
const CLOCKS_APART_SECONDS = 3600;
const LOOKS_AFTER_CANCEL = 5;
const PAUSE_MILLISECONDS = 100;

/** The jobs of ours at a Slurm cluster: found, followed and cancelled. */
export class OwnJobs {
  constructor(
    private readonly site: SlurmSite,
    private readonly accountingLagSeconds: number,
  ) {}

  async find(key: string, intendedAt: EpochSeconds): Promise<NativeJob | null> {
    const name = jobNameOf(key);
    const own = (await this.site.controller.ownJobs()).filter((job) => job.name === name);
    const live = own.find(isLive);
    if (live) return certain(live);
    const since = intendedAt - CLOCKS_APART_SECONDS;
    const runs = await this.readRuns({ name, since });
    const last = together(newestRun(runs.filter(hasEnded)), newestRun(own));
    if (last && this.isToBeToldMore(last, runs)) throw new Unavailable(`accounting does not have job ${last.id} yet`);
    return last && withEarlierRuns(certain(last), last, runs);
  }

  async inspect(refs: readonly NativeRef[]): Promise<ReadonlyMap<string, NativeJob>> {
    if (refs.length === 0) return new Map();
    const own = await this.site.controller.ownJobs(refs.map(({ nativeId }) => nativeId));
    const inQueue = runsOf(refs, own);
    const notLive = refs.filter(({ nativeId }) => !isLive(inQueue.get(nativeId)));
    const runs = await this.readRunsOf(notLive);
    const again = runsOf(notLive, [...runs, ...own], (job) => isLive(job) && own.includes(job));
    const ended = runsOf(notLive, runs, hasEnded);
    const jobs = refs.flatMap(({ nativeId }) => {
      return again.get(nativeId) ?? together(ended.get(nativeId), inQueue.get(nativeId)) ?? [];
    });
    const told = jobs.filter((job) => !this.isToBeToldMore(job, runs));
    const native = told.flatMap((job) => withEarlierRuns(asNativeJob(job), job, runs) ?? []);
    return new Map(native.map((job) => [job.nativeId, job]));
  }

  async cancel(ref: NativeRef): Promise<void> {
    let job = await this.liveRun(ref);
    if (!job) return;
    await this.site.controller.cancel(job.id, job.name);
    for (let look = 0; look < LOOKS_AFTER_CANCEL; look++) {
      job = await this.liveRun(ref);
      if (!job || job.state === 'COMPLETING') return;
      await sleep(PAUSE_MILLISECONDS * 2 ** look);
    }
    throw new Unknown(`job ${ref.nativeId} was cancelled and is still ${job?.state}`);
  }

  /** Tells a job to begin that runs; any other is left as it is. */
  async begin(ref: NativeRef): Promise<void> {
    const job = await this.liveRun(ref);
    if (job?.state === 'RUNNING') await this.site.controller.begin?.(job.id, job.name);
  }

  /** Whether the controller alone tells that a job was killed: why will soon be in accounting, where there is any. */
  private isToBeToldMore(job: SlurmJob, runs: readonly SlurmJob[]): boolean {
    const { accounting, controller } = this.site;
    if (!accounting || !wasKilled(job) || job.endAt === null) return false;
    const isAccounted = runs.some((run) => run.id === job.id && run.submitAt === job.submitAt && hasEnded(run));
    const ago = presentMoment() + controller.clockSkewSeconds - job.endAt;
    return !isAccounted && ago < this.accountingLagSeconds;
  }

  private async liveRun(ref: NativeRef): Promise<SlurmJob | null> {
    const live = (await this.site.controller.ownJobs([ref.nativeId])).filter(isLive);
    if (live.length === 0) return null;
    const run = runOf(ref, live);
    return run ?? runOf(ref, [...(await this.readRunsOf([ref])), ...live], (job) => live.includes(job));
  }

  private async readRunsOf(refs: readonly NativeRef[]): Promise<readonly SlurmJob[]> {
    if (refs.length === 0) return [];
    const since = Math.min(...refs.map(({ submittedAt }) => submittedAt)) - CLOCKS_APART_SECONDS;
    return this.readRuns({ ids: refs.map(({ nativeId }) => nativeId), since });
  }

  /** Of runs that were killed the steps, too, which may tell why. */
  private async readRuns(query: EndedQuery): Promise<readonly SlurmJob[]> {
    const { accounting } = this.site;
    const runs = (await accounting?.ended(query)) ?? [];
    const killed = runs.filter(wasKilled);
    if (!accounting || killed.length === 0) return runs;
    const ids = [...new Set(killed.map(({ id }) => id))];
    const told = await accounting.ended({ ids, since: query.since, withSteps: true });
    return [...runs.filter(({ id }) => !ids.includes(id)), ...told];
  }
}

/** The run each of the jobs is in, by native id. */
function runsOf(
  refs: readonly NativeRef[],
  jobs: readonly SlurmJob[],
  isCounted?: (job: SlurmJob) => boolean,
): Map<string, SlurmJob> {
  const byId = new Map<string, SlurmJob[]>();
  for (const job of jobs) byId.set(job.id, [...(byId.get(job.id) ?? []), job]);
  return new Map(
    refs.flatMap((ref) => {
      const run = runOf(ref, byId.get(ref.nativeId) ?? [], isCounted);
      return run ? [[ref.nativeId, run]] : [];
    }),
  );
}

/** With what accounting has of its earlier runs, as long as it is over and they are all told. */
function withEarlierRuns<Job extends NativeJob | null>(native: Job, job: SlurmJob, runs: readonly SlurmJob[]): Job {
  return native?.state === 'ENDED' ? { ...native, earlierRunSeconds: earlierRunSeconds(job, runs) } : native;
}

/**
 * A job that is there for certain. @throws Unavailable when too little is known of it yet, for it must not count as
 * absent
 */
function certain(job: SlurmJob): NativeJob {
  const native = asNativeJob(job);
  if (native) return native;
  throw new Unavailable(`Slurm has job ${job.id} and says no more of it than ${job.state}`);
}

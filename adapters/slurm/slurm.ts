import { setTimeout as sleep } from 'node:timers/promises';
import { DAY_SECONDS, type EpochSeconds } from '../../src/domain/clock.ts';
import { SiteFailure, Unavailable, Unknown } from '../../src/domain/failures.ts';
import type { JobSpec } from '../../src/domain/job.ts';
import type { SiteFacts } from '../../src/domain/site.ts';
import type {
  Acceptance,
  AdapterCapabilities,
  HistoryPage,
  NativeJob,
  NativeRef,
  SiteAdapter,
} from '../../src/domain/site-adapter.ts';
import type { Snapshot } from '../../src/domain/snapshot.ts';
import { assertDeliverable } from '../shared/deliverable.ts';
import { jobNameOf } from '../shared/job-name.ts';
import { presentMoment } from '../shared/present-moment.ts';
import { asksWhoWeAre, forbiddenBecause } from './access.ts';
import type { EndedQuery } from './client.ts';
import { type ResolvedSlurmConfig, type SlurmConfig, slurmConfig } from './config.ts';
import { connectSlurm, type SlurmSite } from './connect.ts';
import { understood } from './failures.ts';
import { HistoryWindow } from './history-window.ts';
import { meaningOf, type SlurmAssociation, type SlurmJob, type SlurmPartition } from './slurm-job.ts';
import {
  asMaintenance,
  asNativeJob,
  asQueue,
  asRecord,
  earlierRunSeconds,
  newestRun,
  runOf,
  splitQueue,
  together,
} from './understand.ts';

/** Makes the adapter; nothing is contacted before the first verb. */
export function createSlurmAdapter(config: SlurmConfig): SiteAdapter {
  const resolved = slurmConfig.parse(config);
  return new SlurmAdapter(connectSlurm(resolved), resolved);
}

/**
 * A Slurm cluster as one more user sees it, over commands or slurmrestd. The submission key is in the job's name.
 * Whether a job waits or runs is for the controller to say, how it ended for accounting, so that a job the controller
 * has lost is in no answer.
 */
class SlurmAdapter implements SiteAdapter {
  readonly capabilities: AdapterCapabilities;
  private readonly historyWindow: HistoryWindow;

  private associations: readonly SlurmAssociation[] | null = null;

  constructor(
    private readonly site: SlurmSite,
    private readonly config: Pick<ResolvedSlurmConfig, 'accountingLagSeconds' | 'historyDays' | 'account'>,
  ) {
    const { accountingLagSeconds, historyDays } = config;
    this.capabilities = { accounting: site.accounting !== null, accountingLagSeconds };
    this.historyWindow = new HistoryWindow(accountingLagSeconds, historyDays * DAY_SECONDS);
  }

  async facts(): Promise<SiteFacts> {
    const { controller } = this.site;
    const questions = [controller.partitions(), controller.capacity(), controller.reservations()] as const;
    const [partitions, { processors: counted, nodes }, reservations] = await Promise.all(questions);
    const processors = counted.allocated + counted.idle + counted.other;
    const associations = await this.ourAssociations(partitions);
    const queues = partitions.map((partition) => {
      return asQueue(partition, nodes, forbiddenBecause(partition, associations, this.config.account));
    });
    const maintenance = understood('the list of reservations', () => {
      return asMaintenance(reservations, processors, partitions, nodes);
    });
    return { processors, queues, maintenance };
  }

  async snapshot(): Promise<Snapshot> {
    const askedAt = presentMoment();
    const { controller } = this.site;
    const [jobs, { allocated, idle }] = await Promise.all([controller.queue(), controller.processors()]);
    const observedAt = askedAt + controller.clockSkewSeconds;
    return { observedAt, processors: allocated + idle, freeProcessors: idle, ...splitQueue(jobs) };
  }

  async submit(spec: JobSpec, key: string): Promise<Acceptance> {
    const name = jobNameOf(key);
    assertDeliverable(spec);
    const nativeId = await this.site.controller.submit(spec, name);
    return { nativeId, submittedAt: Math.floor(presentMoment()), key };
  }

  async find(key: string, intendedAt: EpochSeconds): Promise<NativeJob | null> {
    const name = jobNameOf(key);
    const own = (await this.site.controller.ownJobs()).filter((job) => job.name === name);
    const live = own.find(isLive);
    if (live) return certain(live);
    const since = intendedAt - CLOCKS_APART_SECONDS;
    const runs = await this.readRuns({ name, since });
    const last = together(newestRun(runs.filter(hasEnded)), newestRun(own));
    return last && withEarlierRuns(certain(last), last, runs);
  }

  async inspect(refs: readonly NativeRef[]): Promise<ReadonlyMap<string, NativeJob>> {
    if (refs.length === 0) return new Map();
    const own = await this.site.controller.ownJobs(refs.map(({ nativeId }) => nativeId));
    const inQueue = runsOf(refs, own);
    const notLive = refs.filter(({ nativeId }) => !isLive(inQueue.get(nativeId)));
    const runs = await this.readRunsOf(notLive);
    const ended = runsOf(notLive, runs.filter(hasEnded));
    const jobs = refs.flatMap(({ nativeId }) => together(ended.get(nativeId), inQueue.get(nativeId)) ?? []);
    const native = jobs.flatMap((job) => withEarlierRuns(asNativeJob(job), job, runs) ?? []);
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

  async history(since: EpochSeconds): Promise<HistoryPage> {
    if (!this.site.accounting) return { records: [], nextSince: since };
    return this.historyWindow.read(since, presentMoment(), async (window) => {
      const jobs = (await this.readRuns(window)).filter(hasEnded);
      return jobs.flatMap((job) => asRecord(job) ?? []).sort((a, b) => (a.endAt ?? 0) - (b.endAt ?? 0));
    });
  }

  close(): Promise<void> {
    return this.site.controller.close();
  }

  /** Asked for only where a partition makes a difference; while that is not answered, what was said last. */
  private async ourAssociations(partitions: readonly SlurmPartition[]): Promise<readonly SlurmAssociation[] | null> {
    const { associations } = this.site;
    if (!associations || !partitions.some(asksWhoWeAre)) return null;
    try {
      this.associations = await associations.list();
    } catch (error) {
      if (!(error instanceof SiteFailure)) throw error;
    }
    return this.associations;
  }

  private async liveRun(ref: NativeRef): Promise<SlurmJob | null> {
    const run = runOf(ref, await this.site.controller.ownJobs([ref.nativeId]));
    return run && isLive(run) ? run : null;
  }

  private async readRunsOf(refs: readonly NativeRef[]): Promise<readonly SlurmJob[]> {
    if (refs.length === 0) return [];
    const since = Math.min(...refs.map(({ submittedAt }) => submittedAt)) - CLOCKS_APART_SECONDS;
    return this.readRuns({ ids: refs.map(({ nativeId }) => nativeId), since });
  }

  private async readRuns(query: EndedQuery): Promise<readonly SlurmJob[]> {
    return (await this.site.accounting?.ended(query)) ?? [];
  }
}

/** Seconds by which the site's clock may be behind ours. */
const CLOCKS_APART_SECONDS = 3600;
const LOOKS_AFTER_CANCEL = 5;
const PAUSE_MILLISECONDS = 100;

/** The run each of the jobs is in, by native id. */
function runsOf(refs: readonly NativeRef[], jobs: readonly SlurmJob[]): Map<string, SlurmJob> {
  const byId = new Map<string, SlurmJob[]>();
  for (const job of jobs) byId.set(job.id, [...(byId.get(job.id) ?? []), job]);
  return new Map(
    refs.flatMap((ref) => {
      const run = runOf(ref, byId.get(ref.nativeId) ?? []);
      return run ? [[ref.nativeId, run]] : [];
    }),
  );
}

function isLive(job: SlurmJob | undefined): boolean {
  const meaning = job && meaningOf(job.state);
  return meaning === 'WAITING' || meaning === 'RUNNING';
}

/**
 * Accounting goes on to show a job as waiting or running that the controller has lost, and shows as requeued a run that
 * was taken back.
 */
function hasEnded(job: SlurmJob): boolean {
  return !isLive(job);
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

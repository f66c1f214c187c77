import type { z } from 'zod';
import type { EpochSeconds } from '../../src/domain/clock.ts';
import { Unavailable } from '../../src/domain/failures.ts';
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
import type { RunningJob, Snapshot, WaitingJob } from '../../src/domain/snapshot.ts';
import { createCommandSite } from '../shared/command-config.ts';
import { assertDeliverable } from '../shared/deliverable.ts';
import { jobNameOf, keyOfJobName } from '../shared/job-name.ts';
import { assertPlainQueue } from '../shared/plain-queue.ts';
import { presentMoment } from '../shared/present-moment.ts';
import { isMeant } from '../shared/same-job.ts';
import { wrapScript } from '../shared/self-contained.ts';
import { hasAccessLists } from './access.ts';
import { PbsCommands } from './commands.ts';
import { type PbsConfig, pbsConfig } from './config.ts';
import { endOf, nativeJobOf, outcomeOf } from './outcome.ts';
import type { PbsJob } from './parse.ts';
import { processorRequest } from './processor-request.ts';
import { queuesOf } from './queues.ts';
import { windowsOf } from './reservations.ts';

/** Makes the adapter; nothing is contacted before the first verb. */
export function createPbsAdapter(config: PbsConfig): SiteAdapter {
  return new PbsAdapter(pbsConfig.parse(config));
}

const NODES_FRESH_SECONDS = 300;

/** A PBS server, OpenPBS or Torque, by its client commands. The submission key is in the job's name. */
class PbsAdapter implements SiteAdapter {
  readonly capabilities: AdapterCapabilities;
  private readonly site;
  private readonly commands;
  private largestNode: { readonly readAt: EpochSeconds; readonly processors: number } | null = null;

  constructor(private readonly config: z.output<typeof pbsConfig>) {
    const { accounting, accountingLagSeconds } = config;
    this.capabilities = { accounting: accounting.kind !== 'none', accountingLagSeconds };
    this.site = createCommandSite(config.transport, config);
    this.commands = new PbsCommands(this.site, config.dialect);
  }

  async facts(): Promise<SiteFacts> {
    const { commands } = this;
    const [nodes, queues, server, reservations] = await Promise.all([
      commands.listNodes(),
      commands.listQueues(),
      commands.describeServer(),
      commands.listReservations(),
    ]);
    const account = [server, ...queues.values()].some(hasAccessLists) ? await commands.describeAccount() : null;
    const processors = nodes.reduce((total, node) => total + node.processors, 0);
    return {
      processors,
      maintenance: windowsOf(reservations, processors),
      queues: queuesOf(queues, { server, nodes, account }),
    };
  }

  async snapshot(): Promise<Snapshot> {
    const askedAt = presentMoment();
    const [jobs, nodes] = await Promise.all([this.commands.listJobs(), this.commands.listNodes()]);
    return {
      observedAt: askedAt + this.site.clockSkewSeconds,
      processors: nodes.reduce((total, { inService }) => total + inService, 0),
      freeProcessors: nodes.reduce((total, { freeProcessors }) => total + freeProcessors, 0),
      waiting: jobs.filter(({ phase }) => phase === 'WAITING').map(withPlan),
      running: jobs.flatMap(asRunning),
    };
  }

  async submit(spec: JobSpec, key: string): Promise<Acceptance> {
    assertDeliverable(spec);
    assertPlainQueue(spec.queue);
    const nativeId = await this.commands.submit({
      jobName: jobNameOf(key),
      script: wrapScript(spec.script, spec.arguments),
      resources: processorRequest(this.config.dialect, spec.processors, await this.processorsPerNode(spec.processors)),
      walltimeSeconds: Math.max(1, Math.ceil(spec.walltimeSeconds)),
      queue: spec.queue,
      workFolder: this.config.workFolder,
    });
    return { nativeId, submittedAt: presentMoment() };
  }

  async find(key: string, intendedAt: EpochSeconds): Promise<NativeJob | null> {
    const name = jobNameOf(key);
    const ids = await this.commands.selectByName(name);
    const known = ids.length > 0 ? await this.commands.describeJobs(ids) : [];
    const job = known.at(-1) ?? (await this.readLogs(intendedAt)).findLast((ended) => ended.name === name);
    if (!job) return null;
    const native = nativeJobOf(job, this.config.dialect);
    if (!native) throw new Unavailable(`PBS has job ${job.nativeId} running and does not say since when`);
    return native;
  }

  async inspect(refs: readonly NativeRef[]): Promise<ReadonlyMap<string, NativeJob>> {
    const meant = new Map(refs.filter(({ nativeId }) => isJobId(nativeId)).map((ref) => [ref.nativeId, ref]));
    if (meant.size === 0) return new Map();
    const known = await this.commands.describeJobs([...meant.keys()]);
    const isMissing = known.length < meant.size;
    const since = Math.min(...[...meant.values()].map(({ submittedAt }) => submittedAt));
    const ended = isMissing ? await this.readLogs(since) : [];
    const jobs = [...ended, ...known].filter((job) => {
      const ref = meant.get(job.nativeId);
      return ref !== undefined && isMeant(ref, job.name, job.submitAt);
    });
    const natives = jobs.flatMap((job) => nativeJobOf(job, this.config.dialect) ?? []);
    return new Map(natives.map((native) => [native.nativeId, native]));
  }

  async cancel(ref: NativeRef): Promise<void> {
    const jobs = isJobId(ref.nativeId) ? await this.commands.describeJobs([ref.nativeId]) : [];
    const isThere = jobs.some((job) => job.phase !== 'ENDED' && isMeant(ref, job.name, job.submitAt));
    if (isThere) await this.commands.remove(ref.nativeId);
  }

  async history(since: EpochSeconds): Promise<HistoryPage> {
    const askedAt = presentMoment();
    const from = since - this.config.historyOverlapSeconds;
    const jobs = (await this.readEnded(from)).filter((job) => job.phase === 'ENDED' && endOf(job) >= from);
    const records = jobs
      .toSorted((a, b) => endOf(a) - endOf(b))
      .map((job) => {
        const { key: _, ...known } = asWaiting(job);
        return { ...known, startAt: job.startAt, endAt: endOf(job), outcome: outcomeOf(job, this.config.dialect) };
      });
    return { records, nextSince: Math.max(since, askedAt) };
  }

  close(): Promise<void> {
    return this.site.close();
  }

  private async readEnded(since: EpochSeconds): Promise<PbsJob[]> {
    if (this.config.accounting.kind !== 'history') return this.readLogs(since);
    return this.commands.describeJobs(await this.commands.selectFinished(since));
  }

  private async readLogs(since: EpochSeconds): Promise<PbsJob[]> {
    const { accounting } = this.config;
    return accounting.kind === 'logs' ? this.commands.readLogs(accounting.folder, accounting.timeZone, since) : [];
  }

  /** Of the largest node; not asked for when it does not matter. */
  private async processorsPerNode(processors: number): Promise<number> {
    if (processors === 1) return 1;
    const now = presentMoment();
    if (this.largestNode === null || now - this.largestNode.readAt > NODES_FRESH_SECONDS) {
      const nodes = await this.commands.listNodes();
      this.largestNode = { readAt: now, processors: Math.max(1, ...nodes.map((node) => node.processors)) };
    }
    return this.largestNode.processors;
  }
}

function asWaiting(job: PbsJob): WaitingJob {
  const { nativeId, name, user, queue, processors, requestedWalltimeSeconds, submitAt } = job;
  return { nativeId, key: keyOfJobName(name), user, queue, processors, requestedWalltimeSeconds, submitAt };
}

/** A waiting job with why it waits and when the scheduler means to start it, where it says so. */
function withPlan(job: PbsJob): WaitingJob {
  return { ...asWaiting(job), reason: job.comment, estimatedStartAt: job.estimatedStartAt };
}

/** A job of the listing that runs, where PBS says since when. */
function asRunning(job: PbsJob): RunningJob[] {
  return job.phase === 'RUNNING' && job.startAt !== null ? [{ ...asWaiting(job), startAt: job.startAt }] : [];
}

/** A word that `qstat` takes for a job and nothing else. */
function isJobId(nativeId: string): boolean {
  return /^\d+(\[\d*\])?(\.[\w.-]+)?$/.test(nativeId);
}

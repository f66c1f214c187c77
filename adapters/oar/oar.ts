import type { z } from 'zod';
import type { EpochSeconds } from '../../src/domain/clock.ts';
import { Unavailable } from '../../src/domain/failures.ts';
import type { JobSpec } from '../../src/domain/job.ts';
import type { QueueFacts, SiteFacts } from '../../src/domain/site.ts';
import type {
  Acceptance,
  AdapterCapabilities,
  HistoryPage,
  NativeJob,
  NativeRef,
  SiteAdapter,
} from '../../src/domain/site-adapter.ts';
import type { Snapshot } from '../../src/domain/snapshot.ts';
import { createCommandSite } from '../shared/command-config.ts';
import { assertDeliverable } from '../shared/deliverable.ts';
import { jobNameOf, keyOfJobName } from '../shared/job-name.ts';
import { assertPlainQueue } from '../shared/plain-queue.ts';
import { presentMoment } from '../shared/present-moment.ts';
import { isMeant } from '../shared/same-job.ts';
import { JOBS_PER_CALL, OarCommands } from './commands.ts';
import { type OarConfig, oarConfig } from './config.ts';
import { ListedJobs } from './listed-jobs.ts';
import { asRunning, asWindow, endOf, nativeJobOf, phaseOf, recordOf, withPlan } from './native-jobs.ts';
import type { OarJob, OarResource } from './parse.ts';
import { scriptCommand } from './script-command.ts';

/** Makes the adapter; nothing is contacted before the first verb. */
export function createOarAdapter(config: OarConfig): SiteAdapter {
  return new OarAdapter(oarConfig.parse(config));
}

const HISTORY_PAGE_JOBS = 2000;
/** OAR asks its database several times for each. */
const MOST_DESCRIBED = 200;

/**
 * An OAR server, by its client commands. The submission key is in the job's name; queue and accounting are one table.
 */
class OarAdapter implements SiteAdapter {
  readonly capabilities: AdapterCapabilities;
  private readonly site;
  private readonly commands;
  private readonly listed;

  constructor(private readonly config: z.output<typeof oarConfig>) {
    this.capabilities = { accounting: true, accountingLagSeconds: config.accountingLagSeconds };
    this.site = createCommandSite(config.transport, config);
    this.commands = new OarCommands(this.site);
    this.listed = new ListedJobs((numbers) => this.commands.describeListed(numbers));
  }

  async facts(): Promise<SiteFacts> {
    const { commands, config } = this;
    const [{ length: processors }, stopped, reservations] = await Promise.all([
      this.listResources(),
      commands.stoppedQueues(config.queues.map(({ name }) => name)),
      commands.listReservations(),
    ]);
    const queues = config.queues.map((queue) => ({ ...queue, ...barOf(stopped.includes(queue.name)) }));
    return { processors, queues, maintenance: reservations.flatMap((job) => asWindow(job, processors)) };
  }

  async snapshot(): Promise<Snapshot> {
    const askedAt = presentMoment();
    const [rows, resources] = await Promise.all([this.commands.listJobs(), this.listResources()]);
    const jobs = await this.listed.complete(rows);
    const waiting = jobs.filter(isInQueue);
    const described = await this.describeOwn(waiting);
    return {
      observedAt: askedAt + this.site.clockSkewSeconds,
      processors: resources.filter(({ isInService }) => isInService).length,
      freeProcessors: resources.filter(({ isFree }) => isFree).length,
      waiting: waiting.map((job) => withPlan(job, described)),
      running: jobs.flatMap(asRunning),
    };
  }

  async submit(spec: JobSpec, key: string): Promise<Acceptance> {
    assertDeliverable(spec);
    assertPlainQueue(spec.queue);
    const nativeId = await this.commands.submit({
      jobName: jobNameOf(key),
      command: scriptCommand(spec),
      processors: spec.processors,
      walltimeSeconds: spec.walltimeSeconds,
      queue: spec.queue,
      resource: this.config.resource,
      workFolder: this.config.workFolder,
    });
    return { nativeId, submittedAt: presentMoment() };
  }

  /** The last job of that name, which OAR may have submitted again by itself. */
  async find(key: string): Promise<NativeJob | null> {
    const job = (await this.commands.describeJobs({ name: jobNameOf(key) })).at(-1);
    if (!job) return null;
    const native = nativeJobOf(job);
    if (!native) throw new Unavailable(`OAR has job ${job.nativeId} as ${job.state} and does not say since when`);
    return native;
  }

  async inspect(refs: readonly NativeRef[]): Promise<ReadonlyMap<string, NativeJob>> {
    const found = new Map<string, NativeJob>();
    const known = refs.filter(({ nativeId }) => isNumber(nativeId));
    for (let first = 0; first < known.length; first += JOBS_PER_CALL) {
      const some = known.slice(first, first + JOBS_PER_CALL);
      const meant = new Map(some.map((ref) => [ref.nativeId, ref]));
      for (const job of await this.commands.describeJobs({ numbers: [...meant.keys()] })) {
        const ref = meant.get(job.nativeId);
        const native = ref && isMeant(ref, job.name, job.submitAt) ? nativeJobOf(job) : null;
        if (native) found.set(job.nativeId, native);
      }
    }
    return found;
  }

  async cancel(ref: NativeRef): Promise<void> {
    const jobs = isNumber(ref.nativeId) ? await this.commands.describeJobs({ numbers: [ref.nativeId] }) : [];
    const isThere = jobs.some((job) => phaseOf(job) !== 'ENDED' && isMeant(ref, job.name, job.submitAt));
    if (isThere) await this.commands.remove(ref.nativeId);
  }

  async history(since: EpochSeconds): Promise<HistoryPage> {
    const askedAt = presentMoment();
    const endedSince = since - this.config.historyOverlapSeconds;
    for (let most = HISTORY_PAGE_JOBS; ; most *= 2) {
      const jobs = await this.commands.describeJobs({ endedSince, most });
      const ends = jobs.map(endOf);
      const latestEndAt = Math.max(since, ...ends);
      const isWhole = jobs.length < most;
      // A page that is full of what was seen before leads nowhere.
      if (!isWhole && latestEndAt <= since) continue;
      const records = jobs.toSorted((a, b) => endOf(a) - endOf(b)).map(recordOf);
      return { records, nextSince: isWhole ? Math.max(since, askedAt) : latestEndAt };
    }
  }

  close(): Promise<void> {
    return this.site.close();
  }

  /** Of our own jobs that wait, those next in turn: nobody is shown why other people's wait. */
  private async describeOwn(waiting: readonly OarJob[]): Promise<ReadonlyMap<string, OarJob>> {
    const own = waiting.filter(({ name }) => keyOfJobName(name) !== null).slice(0, MOST_DESCRIBED);
    if (own.length === 0) return new Map();
    const jobs = await this.commands.describeJobs({ numbers: own.map(({ nativeId }) => nativeId) });
    return new Map(jobs.map((job) => [job.nativeId, job]));
  }

  private listResources(): Promise<OarResource[]> {
    return this.commands.listResources(this.config.wakesNodes ? presentMoment() : null);
  }
}

function barOf(isStopped: boolean): Pick<QueueFacts, 'bar' | 'unusableBecause'> {
  return isStopped ? { bar: 'DOWN', unusableBecause: 'its state is notActive' } : { bar: null, unusableBecause: null };
}

/** Whether it waits for its turn: a reservation waits for its time. */
function isInQueue(job: OarJob): boolean {
  return phaseOf(job) === 'WAITING' && !job.isReservation;
}

/** Only what cannot be anything else becomes part of a condition. */
function isNumber(nativeId: string): boolean {
  return /^\d{1,15}$/.test(nativeId);
}

import type { z } from 'zod';
import type { EpochSeconds } from '../../src/domain/clock.ts';
import { Rejected } from '../../src/domain/failures.ts';
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
import { createCommandSite } from '../shared/command-config.ts';
import { assertDeliverable } from '../shared/deliverable.ts';
import { jobNameOf, keyOfJobName } from '../shared/job-name.ts';
import { assertPlainQueue } from '../shared/plain-queue.ts';
import { presentMoment } from '../shared/present-moment.ts';
import { isMeant, SAME_SUBMISSION_SECONDS } from '../shared/same-job.ts';
import { selfContained } from '../shared/self-contained.ts';
import { type AccountingEntry, recordOf, wasPutBack } from './accounting.ts';
import { capacityOf } from './capacity.ts';
import { GridEngineCommands } from './commands.ts';
import { type GridEngineConfig, gridEngineConfig } from './config.ts';
import { asWaiting, endOf, jobOfListing, lastRuns, withReason } from './native-jobs.ts';
import type { Hosts, JobDetail } from './parse.ts';
import { QueueAccess } from './queue-access.ts';
import { chooseEnvironment, type ParallelEnvironment, type QueueConfiguration, queueFacts } from './queues.ts';
import { asWindow } from './reservations.ts';
import { type DatedJob, SubmissionTimes } from './submission-times.ts';
import { WithdrawnJobs } from './withdrawn-jobs.ts';

/** Makes the adapter; nothing is contacted before the first verb. */
export function createGridEngineAdapter(config: GridEngineConfig): SiteAdapter {
  return new GridEngineAdapter(gridEngineConfig.parse(config));
}

/** Queues and parallel environments change seldom: jobs are matched with them as they were read so long ago at most. */
const QUEUES_FRESH_SECONDS = 300;
const TITLE_CHARACTERS = 200;
const HISTORY_PAGE_LINES = 20_000;
/** So many take as long to describe as thousands to list. */
const MOST_DESCRIBED = 200;
/** So many fit an argument. */
const NUMBERS_PER_CALL = 10_000;

/** A Grid Engine cell, by its client commands and its accounting file. The submission key is in the job's name. */
class GridEngineAdapter implements SiteAdapter {
  readonly capabilities: AdapterCapabilities;
  private readonly site;
  private readonly commands;
  private readonly submissionTimes;
  private readonly access;
  private readonly withdrawn = new WithdrawnJobs();
  private lastQueues: QueueReading | null = null;

  constructor(private readonly config: z.output<typeof gridEngineConfig>) {
    this.capabilities = { accounting: true, accountingLagSeconds: config.accountingLagSeconds };
    this.site = createCommandSite(config.transport, config);
    this.commands = new GridEngineCommands(this.site);
    this.access = new QueueAccess((queue) => this.commands.refusalOf(queue));
    this.submissionTimes = new SubmissionTimes((numbers) => this.commands.describeJobs(numbers));
  }

  async facts(): Promise<SiteFacts> {
    const questions = [this.readQueues(), this.commands.listReservations()] as const;
    const [{ readAt, queues, environments, hosts }, reservations] = await Promise.all(questions);
    const refusals = await this.access.refusals(queues, readAt);
    const processors = capacityOf(hosts).all;
    return {
      processors,
      queues: queueFacts(queues, environments, hosts, refusals),
      maintenance: reservations.map((reservation) => asWindow(reservation, processors)),
    };
  }

  async snapshot(): Promise<Snapshot> {
    const askedAt = presentMoment();
    const [listed, hosts] = await Promise.all([this.commands.listJobs('EVERYBODY'), this.commands.listHosts()]);
    const jobs = await this.submissionTimes.date(listed);
    this.submissionTimes.keepOnly(listed);
    const capacity = capacityOf(hosts);
    const waiting = jobs.filter(({ phase }) => phase === 'WAITING');
    const details = await this.describeOwn(waiting);
    return {
      observedAt: askedAt + this.site.clockSkewSeconds,
      processors: capacity.inService,
      freeProcessors: capacity.free,
      waiting: waiting.map((job) => withReason(job, details)),
      running: jobs.flatMap((job) => (job.startAt === null ? [] : [{ ...asWaiting(job), startAt: job.startAt }])),
    };
  }

  async submit(spec: JobSpec, key: string): Promise<Acceptance> {
    assertDeliverable(spec);
    assertPlainQueue(spec.queue);
    const nativeId = await this.commands.submit({
      jobName: jobNameOf(key),
      title: [...spec.name].slice(0, TITLE_CHARACTERS).join(''),
      script: selfContained(spec),
      walltimeSeconds: Math.max(1, Math.ceil(spec.walltimeSeconds)),
      processors: spec.processors,
      parallelEnvironment: await this.environmentFor(spec),
      queue: spec.queue,
      workFolder: this.config.workFolder,
    });
    return { nativeId, submittedAt: presentMoment() };
  }

  async find(key: string, intendedAt: EpochSeconds): Promise<NativeJob | null> {
    const name = jobNameOf(key);
    const listed = (await this.commands.listJobs('OWN')).filter((job) => job.name === name);
    const [queued] = await this.submissionTimes.date(listed);
    if (queued) return jobOfListing(queued);
    const writtenSince = intendedAt - SAME_SUBMISSION_SECONDS;
    const { entries } = await this.commands.readAccounting({ name, writtenSince });
    const last = lastRuns(entries).values().next().value;
    return last ? endOf(last, intendedAt) : this.withdrawn.byName(name);
  }

  async inspect(refs: readonly NativeRef[]): Promise<ReadonlyMap<string, NativeJob>> {
    const wanted = new Map(refs.filter(isOfOneJob).map((ref) => [ref.nativeId, ref]));
    if (wanted.size === 0) return new Map();
    const listed = (await this.commands.listJobs('OWN')).filter(({ nativeId }) => wanted.has(nativeId));
    const queued = (await this.submissionTimes.date(listed)).filter((job) =>
      isMeant(wanted.get(job.nativeId) as NativeRef, job.name, job.submitAt),
    );
    const inQueue = new Set(queued.map(({ nativeId }) => nativeId));
    const ended = await this.readEnds([...wanted.values()].filter(({ nativeId }) => !inQueue.has(nativeId)));
    return new Map([...queued.map(jobOfListing), ...ended].map((job) => [job.nativeId, job]));
  }

  async cancel(ref: NativeRef): Promise<void> {
    if (!isOfOneJob(ref)) return;
    const detail = (await this.commands.describeJobs([ref.nativeId])).get(ref.nativeId);
    if (!detail || !isMeant(ref, detail.name, detail.submitAt)) return;
    const answer = await this.commands.remove(ref.nativeId);
    if (answer === 'WITHDRAWN') this.withdrawn.add(ref, detail, presentMoment());
  }

  async history(since: EpochSeconds): Promise<HistoryPage> {
    const askedAt = presentMoment();
    const { entries, isWhole } = await this.commands.readAccounting({
      endedSince: since,
      overlapSeconds: this.config.historyOverlapSeconds,
      maxLines: HISTORY_PAGE_LINES,
    });
    const latestEndAt = entries.reduce((latest, { endAt }) => Math.max(latest, endAt ?? 0), since);
    const records = entries.map(recordOf).filter((record) => record !== null);
    return { records, nextSince: isWhole ? Math.max(since, askedAt) : latestEndAt };
  }

  close(): Promise<void> {
    return this.site.close();
  }

  /** Of our own jobs that wait, those next in turn: nobody is shown why other people's wait. */
  private describeOwn(waiting: readonly DatedJob[]): Promise<ReadonlyMap<string, JobDetail>> {
    const own = waiting.filter(({ name }) => keyOfJobName(name) !== null);
    return this.commands.describeJobs(own.slice(0, MOST_DESCRIBED).map(({ nativeId }) => nativeId));
  }

  /** Ends of the given jobs as far as they are known. */
  private async readEnds(refs: readonly NativeRef[]): Promise<NativeJob[]> {
    if (refs.length === 0) return [];
    const writtenSince = Math.min(...refs.map(({ submittedAt }) => submittedAt)) - SAME_SUBMISSION_SECONDS;
    const numbers = refs.map(({ nativeId }) => nativeId);
    const entries: AccountingEntry[] = [];
    for (let first = 0; first < numbers.length; first += NUMBERS_PER_CALL) {
      const some = numbers.slice(first, first + NUMBERS_PER_CALL);
      entries.push(...(await this.commands.readAccounting({ numbers: some, writtenSince })).entries);
    }
    const runs = lastRuns(entries);
    return refs.flatMap((ref) => {
      const run = runs.get(ref.nativeId);
      const isTheEnd = run && !wasPutBack(run) && isMeant(ref, run.name, run.submitAt ?? ref.submittedAt);
      const end = isTheEnd ? endOf(run, ref.submittedAt) : this.withdrawn.find(ref);
      return end ? [end] : [];
    });
  }

  private async environmentFor({ processors, queue }: JobSpec): Promise<string | null> {
    if (processors === 1) return null;
    if (this.config.parallelEnvironment !== undefined) return this.config.parallelEnvironment;
    const isFresh = this.lastQueues && presentMoment() - this.lastQueues.readAt < QUEUES_FRESH_SECONDS;
    const { queues, environments, hosts } = isFresh ? (this.lastQueues as QueueReading) : await this.readQueues();
    const chosen = chooseEnvironment(processors, queue, queues, environments, hosts);
    // Where none fits any will do: the cell refuses the job in words of its own.
    const name = chosen ?? environments[0]?.name;
    if (name !== undefined) return name;
    throw new Rejected(`the cell has no parallel environment, so no job of ${processors} processors; ask for one`);
  }

  private async readQueues(): Promise<QueueReading> {
    const { commands } = this;
    const readAt = presentMoment();
    const [queues, environments, hosts] = await Promise.all([
      commands.listQueues(),
      commands.listParallelEnvironments(),
      commands.listHosts(),
    ]);
    this.lastQueues = { readAt, queues, environments, hosts };
    return this.lastQueues;
  }
}

/** Where jobs can go, as it was at one moment. */
interface QueueReading {
  readonly readAt: EpochSeconds;
  readonly queues: readonly QueueConfiguration[];
  readonly environments: readonly ParallelEnvironment[];
  readonly hosts: Hosts;
}

/** Whether the id is one job's, and neither a list, a pattern nor an option to the commands. */
function isOfOneJob({ nativeId }: NativeRef): boolean {
  return /^\d+$/.test(nativeId);
}

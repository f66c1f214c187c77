import type { Clock, EpochSeconds } from '../../src/domain/clock.ts';
import { invariant, Rejected } from '../../src/domain/failures.ts';
import type { JobRecord, JobSpec } from '../../src/domain/job.ts';
import type { QueueFacts, SiteFacts } from '../../src/domain/site.ts';
import type { Acceptance, HistoryPage, NativeJob } from '../../src/domain/site-adapter.ts';
import type { RunningJob, Snapshot, WaitingJob } from '../../src/domain/snapshot.ts';
import { admit, SubmissionRefused } from '../../src/sim/admission.ts';
import { Cluster } from '../../src/sim/cluster.ts';
import { JobState, outcomeOf } from '../../src/sim/job-table.ts';
import { POLICIES } from '../../src/sim/policy.ts';
import type { Workload } from '../../src/sim/workload.ts';
import { type Background, type BackgroundJob, backgroundOf } from './background.ts';
import type { ResolvedSiteConfig } from './config.ts';
import { Journal, type JournalEntry, type JournalSubmit } from './journal.ts';
import { readScript } from './script.ts';

/** What the site knows of a job beside its row in the cluster. */
interface JobCard {
  readonly user: string;
  readonly queue: string;
  readonly key: string | null;
  readonly exitCode: number | null;
}

/** A job's start or end, in the order in which they happened. */
interface Change {
  readonly at: EpochSeconds;
  readonly job: number;
}

const DEFAULT_MAX_WALLTIME_SECONDS = 2 * 86_400;
const SECONDS_PER_DAY = 86_400;
const HISTORY_PAGE_CHANGES = 20_000;
const OWN_USER = 'gridcast';

/**
 * One batch-scheduled machine that exists in simulation only. Its time is the clock's, in whole seconds, and it is simulated up to
 * the present whenever somebody asks. It accepts a key as often as it is handed in, as real sites do.
 */
export class SimulatedSite {
  readonly processors: number;
  private readonly queues: readonly QueueFacts[];
  private readonly journal: Journal;
  private readonly cluster: Cluster;
  private readonly background: Background;
  private upcoming: BackgroundJob;
  private readonly cards: JobCard[] = [];
  private readonly jobsOfKey = new Map<string, number[]>();
  private readonly changes: Change[] = [];

  /**
   * Rebuilds the site from its journal, or begins it at the present moment.
   * @param trace the log it replays, null when its workload is generated
   * @param accountingLagSeconds how long an ended job is in neither queue nor accounting
   */
  constructor(
    config: ResolvedSiteConfig,
    trace: Workload | null,
    private readonly clock: Clock,
    journalFolder: string,
    private readonly accountingLagSeconds = 0,
  ) {
    const processors = config.processors ?? trace?.machineProcessors;
    if (!processors) throw new RangeError(`site ${config.name}: its trace does not state the size of the machine`);
    this.processors = processors;
    this.queues = config.queues.length > 0 ? config.queues : [onlyQueue(trace !== null)];
    this.journal = Journal.open(journalFolder, config.name, {
      kind: 'origin',
      originAt: Math.floor(clock.now()),
      configuration: JSON.stringify(config),
    });
    const { originAt } = this.journal.origin;
    const noteChange = (job: number, at: EpochSeconds) => {
      this.changes.push({ at, job });
    };
    this.cluster = new Cluster(
      {
        processors,
        policy: POLICIES[config.policy],
        fromAt: Math.floor(originAt - config.warmDays * SECONDS_PER_DAY),
        outages: config.outages.map(({ afterSeconds, ...outage }) => ({ ...outage, at: originAt + afterSeconds })),
      },
      { started: noteChange, ended: noteChange },
    );
    this.background = backgroundOf(config, processors, this.queues, originAt, trace);
    this.upcoming = this.background.next().value;
    for (const entry of this.journal.entries) this.replay(entry);
    this.catchUp();
  }

  facts(): SiteFacts {
    return { processors: this.processors, queues: this.queues };
  }

  snapshot(): Snapshot {
    const observedAt = this.catchUp();
    const { startAt } = this.cluster.table.columns;
    const running = Array.from(this.cluster.running(), (job): RunningJob => {
      return { ...this.waitingJob(job), startAt: startAt[job] as number };
    });
    return {
      observedAt,
      processors: this.cluster.processors,
      freeProcessors: this.cluster.freeProcessors,
      waiting: Array.from(this.cluster.waiting(), (job) => this.waitingJob(job)),
      running,
    };
  }

  /**
   * Accepts a job.
   * @throws Rejected in the words of a batch system
   */
  submit(spec: JobSpec, key: string): Acceptance {
    const queue = this.admit(spec);
    const at = this.catchUp();
    const entry: JournalSubmit = {
      kind: 'submit',
      at,
      key,
      nativeId: nativeIdOf(this.cards.length),
      name: spec.name,
      queue: queue.name,
      processors: spec.processors,
      walltimeSeconds: spec.walltimeSeconds,
      behaviour: readScript(spec.script),
    };
    this.journal.append(entry);
    this.accept(entry);
    return { nativeId: entry.nativeId, submittedAt: at };
  }

  /** Cancels a waiting or running job; any other is left as it is. */
  cancel(nativeId: string, submittedAt: EpochSeconds): void {
    const at = this.catchUp();
    const job = this.jobOf(nativeId, submittedAt);
    if (job === null || this.cluster.table.columns.state[job] === JobState.ENDED) return;
    this.journal.append({ kind: 'cancel', at, nativeId });
    this.cluster.cancel(job);
  }

  /** The first job bearing the key, by queue or accounting; null when neither has it. */
  find(key: string): NativeJob | null {
    const now = this.catchUp();
    for (const job of this.jobsOfKey.get(key) ?? []) {
      const native = this.nativeJob(job, now);
      if (native) return native;
    }
    return null;
  }

  /** The given jobs as far as queue or accounting know them. */
  inspect(nativeIds: readonly string[]): NativeJob[] {
    const now = this.catchUp();
    return nativeIds
      .map((nativeId) => this.jobOf(nativeId, null))
      .map((job) => (job === null ? null : this.nativeJob(job, now)))
      .filter((native) => native !== null);
  }

  /** Jobs that started or ended since then, oldest change first, each once per page. */
  history(since: EpochSeconds): HistoryPage {
    const visibleUntil = this.catchUp() - this.accountingLagSeconds;
    const jobs = new Set<number>();
    let nextSince = Math.max(since, visibleUntil);
    for (let index = this.firstChangeFrom(since); index < this.changes.length; index++) {
      const change = this.changes[index] as Change;
      if (change.at > visibleUntil) break;
      const full = jobs.size >= HISTORY_PAGE_CHANGES;
      if (full && change.at > since && change.at > (this.changes[index - 1] as Change).at) {
        nextSince = change.at;
        break;
      }
      jobs.add(change.job);
    }
    return { records: Array.from(jobs, (job) => this.record(job, visibleUntil)), nextSince };
  }

  /** Simulates up to the present second and returns it. */
  private catchUp(): EpochSeconds {
    const now = Math.max(Math.floor(this.clock.now()), this.cluster.now);
    this.advanceTo(now);
    return now;
  }

  private advanceTo(at: EpochSeconds): void {
    while (this.upcoming.submitAt <= at) {
      const { user, queue, ...job } = this.upcoming;
      this.cluster.submit(job);
      this.cards.push({ user, queue, key: null, exitCode: job.ownOutcome === 'FAILED' ? 1 : 0 });
      this.upcoming = this.background.next().value;
    }
    this.cluster.advanceTo(at);
  }

  private replay(entry: JournalEntry): void {
    this.advanceTo(entry.at);
    if (entry.kind === 'submit') this.accept(entry);
    else {
      const job = this.jobOf(entry.nativeId, null);
      invariant(job !== null, `${this.journal.path} cancels job ${entry.nativeId}, which was never submitted`);
      this.cluster.cancel(job);
    }
  }

  /** Hands a journaled job to the cluster, each in a step of its own so that a replay takes the same steps. */
  private accept(entry: JournalSubmit): void {
    const { holdUntilAt, runSeconds, exitCode } = entry.behaviour;
    const job = this.cluster.submit({
      submitAt: entry.at,
      processors: entry.processors,
      walltimeSeconds: entry.walltimeSeconds,
      runSeconds,
      ownOutcome: exitCode === 0 ? 'COMPLETED' : 'FAILED',
      ...(holdUntilAt === null ? {} : { holdUntilAt }),
    });
    invariant(nativeIdOf(job) === entry.nativeId, `${this.journal.path} does not fit the site: ${entry.nativeId}`);
    this.cards.push({ user: OWN_USER, queue: entry.queue, key: entry.key, exitCode });
    const bearers = this.jobsOfKey.get(entry.key);
    if (bearers) bearers.push(job);
    else this.jobsOfKey.set(entry.key, [job]);
    this.cluster.advanceTo(entry.at);
  }

  private admit(spec: JobSpec): QueueFacts {
    try {
      return admit(this.queues, this.processors, spec);
    } catch (error) {
      if (!(error instanceof SubmissionRefused)) throw error;
      throw new Rejected(`the site refused the job: ${error.message}`, `Batch job submission failed: ${error.message}`);
    }
  }

  private waitingJob(job: number): WaitingJob {
    const { processors, walltimeSeconds, submitAt } = this.cluster.table.columns;
    const { key, user, queue } = this.cards[job] as JobCard;
    return {
      nativeId: nativeIdOf(job),
      key,
      user,
      queue,
      processors: processors[job] as number,
      requestedWalltimeSeconds: walltimeSeconds[job] as number,
      submitAt: submitAt[job] as number,
    };
  }

  /** A job as queue and accounting show it; null while it is in neither. */
  private nativeJob(job: number, now: EpochSeconds): NativeJob | null {
    const columns = this.cluster.table.columns;
    const ref = { nativeId: nativeIdOf(job), submittedAt: columns.submitAt[job] as number };
    const startAt = columns.startAt[job] as number;
    const endAt = columns.endAt[job] as number;
    const outcome = outcomeOf(columns.outcome[job] as number);
    if (columns.state[job] === JobState.RUNNING) {
      return { ...ref, state: 'RUNNING', startAt, endAt: null, outcome: null };
    }
    if (columns.state[job] !== JobState.ENDED || outcome === null) {
      return { ...ref, state: 'WAITING', startAt: null, endAt: null, outcome: null };
    }
    if (endAt > now - this.accountingLagSeconds) return null;
    const ranToItsEnd = outcome === 'COMPLETED' || outcome === 'FAILED';
    return {
      ...ref,
      state: 'ENDED',
      startAt: Number.isNaN(startAt) ? null : startAt,
      endAt,
      outcome,
      exitCode: ranToItsEnd ? (this.cards[job] as JobCard).exitCode : null,
    };
  }

  /** A job's history as of `visibleUntil`. */
  private record(job: number, visibleUntil: EpochSeconds): JobRecord {
    const columns = this.cluster.table.columns;
    const { key: _, ...known } = this.waitingJob(job);
    const startAt = columns.startAt[job] as number;
    const ended = (columns.endAt[job] as number) <= visibleUntil;
    return {
      ...known,
      startAt: startAt <= visibleUntil ? startAt : null,
      endAt: ended ? (columns.endAt[job] as number) : null,
      outcome: ended ? outcomeOf(columns.outcome[job] as number) : null,
    };
  }

  private firstChangeFrom(since: EpochSeconds): number {
    let low = 0;
    let high = this.changes.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.changes[middle] as Change).at < since) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** Index of the job with that id, null when there is none or it was submitted at another time. */
  private jobOf(nativeId: string, submittedAt: EpochSeconds | null): number | null {
    const job = Number(nativeId) - 1;
    if (!Number.isInteger(job) || job < 0 || job >= this.cards.length) return null;
    const known = this.cluster.table.columns.submitAt[job] as number;
    return submittedAt !== null && Math.abs(known - submittedAt) >= 1 ? null : job;
  }
}

/** The queue of a site that is configured without any; a log's jobs are not measured by our limits. */
function onlyQueue(replaysTrace: boolean): QueueFacts {
  const maxWalltimeSeconds = replaysTrace ? null : DEFAULT_MAX_WALLTIME_SECONDS;
  return { name: 'batch', isDefault: true, maxProcessors: null, maxWalltimeSeconds };
}

function nativeIdOf(job: number): string {
  return String(job + 1);
}

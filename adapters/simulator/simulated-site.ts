import type { Clock, EpochSeconds } from '../../src/domain/clock.ts';
import { invariant, Rejected } from '../../src/domain/failures.ts';
import type { JobSpec } from '../../src/domain/job.ts';
import type { OutputStream } from '../../src/domain/job-output.ts';
import type { QueueFacts, SiteFacts } from '../../src/domain/site.ts';
import type { Acceptance, HistoryPage, NativeJob } from '../../src/domain/site-adapter.ts';
import type { Snapshot } from '../../src/domain/snapshot.ts';
import { admit, SubmissionRefused } from '../../src/sim/admission.ts';
import { jobNamed, nativeIdOf, nativeJobOf } from '../../src/sim/cluster-snapshot.ts';
import type { Workload } from '../../src/sim/workload.ts';
import { backgroundOf } from './background.ts';
import { ChangeLog } from './change-log.ts';
import type { ResolvedSiteConfig } from './config.ts';
import { Journal, type JournalEntry, type JournalSubmit, submitEntry } from './journal.ts';
import { replayedSite } from './replayed-site.ts';

const DEFAULT_MAX_WALLTIME_SECONDS = 2 * 86_400;
const OWN_USER = 'gridcast';
/** Exit status of a job that gave up waiting to be told to begin. */
const GAVE_UP = 75;

/**
 * One batch-scheduled machine that exists in simulation only. Its time is the clock's, in whole seconds, and it is
 * simulated up to the present whenever somebody asks. It accepts a key as often as it is handed in, as real sites do.
 */
export class SimulatedSite {
  readonly processors: number;
  private readonly queues: readonly QueueFacts[];
  private readonly journal: Journal;
  private readonly site: ReturnType<typeof replayedSite>;
  /** Of the jobs that were submitted from outside, by their rows. */
  private readonly behaviours = new Map<number, JournalSubmit['behaviour']>();
  private readonly jobsOfKey = new Map<string, number[]>();
  private readonly changes = new ChangeLog();

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
    const noteChange = (job: number, at: EpochSeconds) => this.changes.note(job, at);
    this.site = replayedSite(backgroundOf(config, processors, this.queues, originAt, trace), config, {
      processors,
      originAt,
      noteChange,
    });
    for (const entry of this.journal.entries) this.replay(entry);
    this.catchUp();
  }

  facts(): SiteFacts {
    return { processors: this.processors, queues: this.queues };
  }

  snapshot(): Snapshot {
    this.catchUp();
    return this.site.snapshot();
  }

  /**
   * Accepts a job.
   * @throws Rejected in the words of a batch system
   */
  submit(spec: JobSpec, key: string): Acceptance {
    const queue = this.admit(spec);
    const at = this.catchUp();
    const entry = submitEntry(spec, { at, key, nativeId: nativeIdOf(this.cluster.table.length), queue: queue.name });
    this.journal.append(entry);
    this.accept(entry);
    return { nativeId: entry.nativeId, submittedAt: at };
  }

  /** Cancels a waiting or running job; any other is left as it is. */
  cancel(nativeId: string, submittedAt: EpochSeconds): void {
    const at = this.catchUp();
    const job = this.jobOf(nativeId, submittedAt);
    if (job === null || nativeJobOf(this.cluster, job).state === 'ENDED') return;
    this.journal.append({ kind: 'cancel', at, nativeId });
    this.cluster.cancel(job);
  }

  /** Tells a running job to begin that waits for that; any other is left as it is, as by a signal that it ignores. */
  begin(nativeId: string, submittedAt: EpochSeconds): void {
    const at = this.catchUp();
    const job = this.jobOf(nativeId, submittedAt);
    if (job === null || nativeJobOf(this.cluster, job).state !== 'RUNNING') return;
    this.journal.append({ kind: 'begin', at, nativeId });
    this.site.openGate(job);
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
    const { jobs, nextSince } = this.changes.page(since, visibleUntil);
    return { records: Array.from(jobs, (job) => this.site.record(job, visibleUntil)), nextSince };
  }

  /** What the job bearing the key has written to a stream by now; null while it has not begun. */
  output(key: string, stream: OutputStream): Buffer | null {
    const now = this.catchUp();
    const jobs = (this.jobsOfKey.get(key) ?? []).map((job) => ({ job, ...nativeJobOf(this.cluster, job) }));
    const started = jobs.find(({ startAt }) => startAt !== null);
    if (!started || started.startAt === null || this.cluster.isGateShut(started.job)) return null;
    const behaviour = this.behaviours.get(started.job);
    const { says = [], holdUntilAt = null } = behaviour ?? {};
    const begunAt = Math.max(started.startAt, holdUntilAt ?? 0);
    const until = Math.min(now, started.endAt ?? now);
    const written = says.filter((saying) => saying.stream === stream && begunAt + saying.afterSeconds <= until);
    return Buffer.from(written.map(({ text }) => text).join(''));
  }

  private get cluster() {
    return this.site.cluster;
  }

  /** Simulates up to the present second and returns it. */
  private catchUp(): EpochSeconds {
    const now = Math.max(Math.floor(this.clock.now()), this.cluster.now);
    this.site.advanceTo(now);
    return now;
  }

  private replay(entry: JournalEntry): void {
    this.site.advanceTo(entry.at);
    if (entry.kind === 'submit') this.accept(entry);
    else {
      const job = this.jobOf(entry.nativeId, null);
      invariant(job !== null, `${this.journal.path} ${entry.kind}s job ${entry.nativeId}, which was never submitted`);
      if (entry.kind === 'cancel') this.cluster.cancel(job);
      else this.site.openGate(job);
    }
  }

  /** Hands a journaled job to the cluster, each in a step of its own so that a replay takes the same steps. */
  private accept(entry: JournalSubmit): void {
    const { holdUntilAt, gateSeconds, runSeconds, exitCode } = entry.behaviour;
    const job = this.site.submit(
      {
        submitAt: entry.at,
        processors: entry.processors,
        walltimeSeconds: entry.walltimeSeconds,
        runSeconds,
        ownOutcome: exitCode === 0 ? 'COMPLETED' : 'FAILED',
        ...(holdUntilAt === null ? {} : { holdUntilAt }),
        ...(gateSeconds === undefined ? {} : { gateSeconds }),
      },
      { user: OWN_USER, queue: entry.queue, key: entry.key },
    );
    invariant(nativeIdOf(job) === entry.nativeId, `${this.journal.path} does not fit the site: ${entry.nativeId}`);
    this.behaviours.set(job, entry.behaviour);
    const bearers = this.jobsOfKey.get(entry.key);
    if (bearers) bearers.push(job);
    else this.jobsOfKey.set(entry.key, [job]);
    this.site.advanceTo(entry.at);
  }

  private admit(spec: JobSpec): QueueFacts {
    try {
      return admit(this.queues, this.processors, spec);
    } catch (error) {
      if (!(error instanceof SubmissionRefused)) throw error;
      throw new Rejected(`the site refused the job: ${error.message}`, `Batch job submission failed: ${error.message}`);
    }
  }

  /** A job as queue and accounting show it; null while it is in neither. */
  private nativeJob(job: number, now: EpochSeconds): NativeJob | null {
    const native = nativeJobOf(this.cluster, job);
    if (native.state !== 'ENDED') return native;
    if (native.endAt > now - this.accountingLagSeconds) return null;
    const { outcome } = native;
    if (outcome !== 'COMPLETED' && outcome !== 'FAILED') return native;
    if (this.cluster.isGateShut(job)) return { ...native, exitCode: GAVE_UP };
    return { ...native, exitCode: this.behaviours.get(job)?.exitCode ?? (outcome === 'FAILED' ? 1 : 0) };
  }

  /** Index of the job with that id, null when there is none or it was submitted at another time. */
  private jobOf(nativeId: string, submittedAt: EpochSeconds | null): number | null {
    const job = jobNamed(this.cluster, nativeId);
    if (job === null) return null;
    const known = this.cluster.table.columns.submitAt[job] as number;
    return submittedAt !== null && Math.abs(known - submittedAt) >= 1 ? null : job;
  }
}

/** The queue of a site that is configured without any; a log's jobs are not measured by our limits. */
function onlyQueue(replaysTrace: boolean): QueueFacts {
  const maxWalltimeSeconds = replaysTrace ? null : DEFAULT_MAX_WALLTIME_SECONDS;
  return { name: 'batch', isDefault: true, maxProcessors: null, maxWalltimeSeconds };
}

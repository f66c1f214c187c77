import type { Clock, EpochSeconds } from '../../src/domain/clock.ts';
import { invariant, Rejected } from '../../src/domain/failures.ts';
import type { JobSpec } from '../../src/domain/job.ts';
import type { OutputStream } from '../../src/domain/job-output.ts';
import type { QueueFacts, SiteFacts } from '../../src/domain/site.ts';
import type { Acceptance, HistoryPage, NativeJob } from '../../src/domain/site-adapter.ts';
import type { Snapshot } from '../../src/domain/snapshot.ts';
import { admit, SubmissionRefused } from '../../src/sim/admission.ts';
import type { Workload } from '../../src/sim/workload.ts';
import type { ResolvedSiteConfig } from './config.ts';
import { Journal, type JournalEntry, type JournalSubmit, submitEntry } from './journal.ts';
import type { SimulatedPartition } from './partition.ts';
import { partitionsOf, queuesOf } from './partitions.ts';

/** A job of a site: its row in one of the partitions. */
interface SimulatedRow {
  readonly partition: SimulatedPartition;
  readonly job: number;
}

/**
 * One batch-scheduled machine that exists in simulation only. Its time is the clock's, in whole seconds, and it is
 * simulated up to the present whenever somebody asks. It accepts a key as often as it is handed in, as real sites do.
 */
export class SimulatedSite {
  readonly processors: number;
  private readonly queues: readonly QueueFacts[];
  private readonly journal: Journal;
  /** By the names of their queues; the nodes that queues share come first. */
  private readonly partitions: ReadonlyMap<string, SimulatedPartition>;
  private readonly jobsOfKey = new Map<string, SimulatedRow[]>();

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
    this.queues = queuesOf(config, trace !== null);
    this.journal = Journal.open(journalFolder, config.name, {
      kind: 'origin',
      originAt: Math.floor(clock.now()),
      configuration: JSON.stringify(config),
    });
    const { originAt } = this.journal.origin;
    this.partitions = partitionsOf(config, this.queues, { processors, originAt, trace });
    this.processors = this.each(({ processors }) => processors).reduce((sum, some) => sum + some, 0);
    for (const entry of this.journal.entries) this.replay(entry);
    this.catchUp();
  }

  facts(): SiteFacts {
    const nodeShapes = this.each(({ shape }) => shape);
    return { processors: this.processors, queues: this.queues, nodeShapes };
  }

  snapshot(): Snapshot {
    this.catchUp();
    const all = this.each((partition) => partition.snapshot());
    const [first] = all;
    invariant(first, 'a simulated site has no nodes');
    return {
      observedAt: first.observedAt,
      processors: all.reduce((sum, { processors }) => sum + processors, 0),
      freeProcessors: all.reduce((sum, { freeProcessors }) => sum + freeProcessors, 0),
      waiting: all.flatMap(({ waiting }) => waiting),
      running: all.flatMap(({ running }) => running),
    };
  }

  /**
   * Accepts a job.
   * @throws Rejected in the words of a batch system
   */
  submit(spec: JobSpec, key: string): Acceptance {
    const { queue, partition, processors } = this.admit(spec);
    const at = this.catchUp();
    const entry = submitEntry(spec, processors, { at, key, nativeId: partition.nextNativeId, queue });
    this.journal.append(entry);
    this.accept(entry);
    return { nativeId: entry.nativeId, submittedAt: at };
  }

  /** Cancels a waiting or running job; any other is left as it is. */
  cancel(nativeId: string, submittedAt: EpochSeconds): void {
    const at = this.catchUp();
    const row = this.rowOf(nativeId, submittedAt);
    if (row === null || this.stateOf(row) === 'ENDED') return;
    this.journal.append({ kind: 'cancel', at, nativeId });
    row.partition.site.cancel(row.job);
  }

  /** Tells a running job to begin that waits for that; any other is left as it is, as by a signal that it ignores. */
  begin(nativeId: string, submittedAt: EpochSeconds): void {
    const at = this.catchUp();
    const row = this.rowOf(nativeId, submittedAt);
    if (row === null || this.stateOf(row) !== 'RUNNING') return;
    this.journal.append({ kind: 'begin', at, nativeId });
    row.partition.site.openGate(row.job);
  }

  /** The first job bearing the key, by queue or accounting; null when neither has it. */
  find(key: string): NativeJob | null {
    const visibleUntil = this.catchUp() - this.accountingLagSeconds;
    for (const { partition, job } of this.jobsOfKey.get(key) ?? []) {
      const native = partition.nativeJob(job, visibleUntil);
      if (native) return native;
    }
    return null;
  }

  /** The given jobs as far as queue or accounting know them. */
  inspect(nativeIds: readonly string[]): NativeJob[] {
    const visibleUntil = this.catchUp() - this.accountingLagSeconds;
    return nativeIds
      .map((nativeId) => this.rowOf(nativeId, null))
      .flatMap((row) => row?.partition.nativeJob(row.job, visibleUntil) ?? []);
  }

  /** Jobs that started or ended since then, oldest change first within a partition, each once per page. */
  history(since: EpochSeconds): HistoryPage {
    const visibleUntil = this.catchUp() - this.accountingLagSeconds;
    const pages = this.each((partition) => partition.history(since, visibleUntil));
    return {
      records: pages.flatMap(({ records }) => records),
      nextSince: Math.min(...pages.map(({ nextSince }) => nextSince)),
    };
  }

  /** What the job bearing the key has written to a stream by now; null while it has not begun. */
  output(key: string, stream: OutputStream): Buffer | null {
    const now = this.catchUp();
    for (const { partition, job } of this.jobsOfKey.get(key) ?? []) {
      const written = partition.output(job, stream, now);
      if (written !== null) return written;
    }
    return null;
  }

  private each<Answer>(ask: (partition: SimulatedPartition) => Answer): Answer[] {
    return [...new Set(this.partitions.values())].map(ask);
  }

  /** Simulates up to the present second and returns it. */
  private catchUp(): EpochSeconds {
    const now = Math.max(Math.floor(this.clock.now()), ...this.each(({ site }) => site.now));
    this.advanceTo(now);
    return now;
  }

  private advanceTo(at: EpochSeconds): void {
    this.each(({ site }) => site.advanceTo(at));
  }

  private replay(entry: JournalEntry): void {
    this.advanceTo(entry.at);
    if (entry.kind === 'submit') this.accept(entry);
    else {
      const row = this.rowOf(entry.nativeId, null);
      invariant(row !== null, `${this.journal.path} ${entry.kind}s job ${entry.nativeId}, which was never submitted`);
      if (entry.kind === 'cancel') row.partition.site.cancel(row.job);
      else row.partition.site.openGate(row.job);
    }
  }

  private accept(entry: JournalSubmit): void {
    const partition = this.partitions.get(entry.queue);
    const fits = partition?.nextNativeId === entry.nativeId;
    invariant(partition && fits, `${this.journal.path} does not fit the site: ${entry.nativeId}`);
    const row = { partition, job: partition.accept(entry) };
    const bearers = this.jobsOfKey.get(entry.key);
    if (bearers) bearers.push(row);
    else this.jobsOfKey.set(entry.key, [row]);
  }

  /** Where a job goes, and the processors that it holds there. */
  private admit(spec: JobSpec): { queue: string; partition: SimulatedPartition; processors: number } {
    try {
      const { name: queue } = admit(this.queues, this.processors, spec);
      const partition = this.partitions.get(queue);
      invariant(partition, `queue ${queue} has no nodes`);
      admit(this.queues, partition.shape.count * partition.shape.processors, { ...spec, queue });
      return { queue, partition, processors: partition.heldProcessors(spec) };
    } catch (error) {
      if (!(error instanceof SubmissionRefused)) throw error;
      throw new Rejected(`the site refused the job: ${error.message}`, `Batch job submission failed: ${error.message}`);
    }
  }

  private stateOf({ partition, job }: SimulatedRow): NativeJob['state'] {
    return partition.site.seen(job).state;
  }

  /** The job with that id, null when there is none or it was submitted at another time. */
  private rowOf(nativeId: string, submittedAt: EpochSeconds | null): SimulatedRow | null {
    for (const partition of new Set(this.partitions.values())) {
      const job = partition.jobOf(nativeId, submittedAt);
      if (job !== null) return { partition, job };
    }
    return null;
  }
}

import type { EpochSeconds } from '../domain/clock.ts';
import { invariant } from '../domain/failures.ts';
import type { QueueFacts } from '../domain/site.ts';
import { admit } from './admission.ts';
import type { RuntimeBelief } from './belief.ts';
import { Ends } from './ends.ts';
import { JobState, JobTable, outcomeCode, type SimulatedJob } from './job-table.ts';
import { Machine } from './machine.ts';
import type { Outage } from './outage.ts';
import { PendingJobs } from './pending-jobs.ts';
import type { Policy, TieRule } from './policy.ts';
import type { Scheduler } from './scheduler.ts';
import { makeScheduler } from './schedulers.ts';

/** What a cluster is made of. */
export interface ClusterOptions {
  readonly processors: number;
  readonly policy: Policy;
  /** `ends-first` unless told. */
  readonly ties?: TieRule;
  /** With their limits; without any, whatever fits the machine is taken. */
  readonly queues?: readonly QueueFacts[];
  /** Requests are rounded up to whole nodes of this many processors; 1 unless told. */
  readonly processorsPerNode?: number;
  /** Which runtime the scheduler believes; the requested walltime unless told. */
  readonly belief?: RuntimeBelief;
  /** In the order of their moments. */
  readonly outages?: readonly Outage[];
  /** Where the cluster's time begins; 0 unless told. */
  readonly fromAt?: EpochSeconds;
  /** How many jobs to make room for at once. */
  readonly expectedJobs?: number;
}

/** Told of every change of a job as it happens. */
export interface ClusterListener {
  started?(job: number, at: EpochSeconds): void;
  ended?(job: number, at: EpochSeconds): void;
}

/**
 * A batch-scheduled machine in simulated time. Jobs are handed in before their submission time comes, time moves with
 * `advanceTo`, and everything up to and including that moment then has happened. The same calls give the same run, and
 * advancing in several steps is the same as advancing in one.
 */
export class Cluster {
  readonly table: JobTable;
  readonly machine: Machine;
  readonly scheduler: Scheduler;
  private readonly ties: TieRule;
  private readonly belief: RuntimeBelief | undefined;
  private readonly processorsPerNode: number;
  private readonly ends: Ends;
  private readonly arrivals: PendingJobs;
  private outages: Outage[];
  private accepting = true;

  constructor(
    private readonly options: ClusterOptions,
    readonly listener: ClusterListener = {},
  ) {
    this.ties = options.ties ?? 'ends-first';
    this.belief = options.belief;
    this.processorsPerNode = options.processorsPerNode ?? 1;
    this.outages = [...(options.outages ?? [])].sort((a, b) => a.at - b.at);
    this.table = new JobTable(options.expectedJobs);
    this.arrivals = new PendingJobs(this.table);
    this.machine = new Machine(this.table, options.processors, (job) => this.expectedEndOf(job));
    this.machine.now = options.fromAt ?? 0;
    this.ends = new Ends(this.table);
    this.machine.onStart = (job) => {
      this.ends.add(job);
      this.belief?.started?.(this.table.columns, job);
      this.listener.started?.(job, this.machine.now);
    };
    this.scheduler = makeScheduler(options.policy, this.machine, this.beliefLasts);
  }

  get now(): EpochSeconds {
    return this.machine.now;
  }

  get processors(): number {
    return this.machine.processors;
  }

  get freeProcessors(): number {
    return this.machine.freeProcessors;
  }

  /** Waiting jobs in queue order. */
  waiting(): Iterable<number> {
    return this.scheduler.waiting();
  }

  /** Running jobs, the one expected to end first in front. */
  running(): Iterable<number> {
    return this.machine.runningJobs;
  }

  /**
   * Hands in a job whose submission time is not past; it joins the queue when that comes, after earlier hand-ins of
   * that moment.
   * @returns the job's index
   * @throws SubmissionRefused when no queue takes it, RangeError when it fits no machine of this kind or comes too late
   */
  submit(job: SimulatedJob): number {
    const processors = Math.ceil(job.processors / this.processorsPerNode) * this.processorsPerNode;
    if (!(processors > 0) || processors > this.options.processors) {
      throw new RangeError(
        `a job of ${job.processors} processors does not fit a machine of ${this.options.processors}`,
      );
    }
    if (!(job.runSeconds > 0) || !(job.walltimeSeconds > 0)) {
      throw new RangeError(`runtime ${job.runSeconds} and walltime ${job.walltimeSeconds} must be positive seconds`);
    }
    if (!(job.submitAt >= this.now)) {
      throw new RangeError(`a job submitted at ${job.submitAt} comes too late at ${this.now}`);
    }
    if (this.options.queues) {
      admit(this.options.queues, this.options.processors, { ...job, queue: job.queue ?? null });
    }
    const index = this.table.add({ ...job, processors });
    this.arrivals.add(index);
    return index;
  }

  /** Ends a pending, waiting or running job now; an ended one stays as it is. Returns whether anything changed. */
  cancel(job: number): boolean {
    const columns = this.table.columns;
    const state = columns.state[job];
    if (state === JobState.ENDED || job >= this.table.length) return false;
    if (state === JobState.RUNNING) this.kill(job, 'CANCELLED');
    else {
      if (state === JobState.WAITING) this.scheduler.withdrawn(job);
      columns.state[job] = JobState.ENDED;
      columns.endAt[job] = this.now;
      columns.outcome[job] = outcomeCode('CANCELLED');
      this.listener.ended?.(job, this.now);
    }
    this.pass();
    return true;
  }

  /**
   * Tells a job that waits at its gate to begin its run, now or as soon as it starts. Any other stays as it is. Returns
   * whether anything changed.
   */
  openGate(job: number): boolean {
    const { state, gateSeconds, holdUntilAt } = this.table.columns;
    if (job >= this.table.length || state[job] === JobState.ENDED || Number.isNaN(gateSeconds[job])) return false;
    gateSeconds[job] = Number.NaN;
    if (state[job] !== JobState.RUNNING) return true;
    holdUntilAt[job] = this.now;
    this.machine.foresee(job);
    this.ends.reorder(this.running());
    return true;
  }

  /** Whether a job waits, or has given up waiting, to be told to begin. */
  isGateShut(job: number): boolean {
    return !Number.isNaN(this.table.columns.gateSeconds[job]);
  }

  /** Lets everything up to and including `at` happen. Does nothing when that is past. */
  advanceTo(at: EpochSeconds): void {
    for (let next = this.nextEventAt(); next <= at && next !== Number.POSITIVE_INFINITY; next = this.nextEventAt()) {
      this.happen(next);
    }
    if (at > this.machine.now && at !== Number.POSITIVE_INFINITY) this.machine.now = at;
  }

  /** Lets everything before `at` happen and stands there, with all that happens at that very moment still to come. */
  advanceBefore(at: EpochSeconds): void {
    for (let next = this.nextEventAt(); next < at; next = this.nextEventAt()) this.happen(next);
    if (at > this.machine.now) this.machine.now = at;
  }

  /** The next moment at which something happens by itself; infinite when nothing ever will. */
  nextEventAt(): EpochSeconds {
    return Math.min(
      this.ends.nextAt,
      this.arrivals.nextAt,
      this.outages[0]?.at ?? Number.POSITIVE_INFINITY,
      this.accepting ? this.scheduler.wakeAt : Number.POSITIVE_INFINITY,
    );
  }

  private happen(at: EpochSeconds): void {
    this.machine.now = Math.max(at, this.machine.now);
    if (this.ties === 'pyss') this.stepOneByOne();
    else this.step();
  }

  /** Ends first, then outages, then submissions, then one pass: nobody waits for processors that are free by now. */
  private step(): void {
    for (let job = this.ends.takeUntil(this.now); job !== undefined; job = this.ends.takeUntil(this.now))
      this.finish(job);
    this.applyOutages();
    for (let job = this.arrivals.takeUntil(this.now); job !== undefined; job = this.arrivals.takeUntil(this.now))
      this.enqueue(job);
    this.pass();
  }

  /** The order of `--ties pyss`, see `TIE_RULES`. */
  private stepOneByOne(): void {
    this.applyOutages();
    this.noticeOverruns();
    if (this.machine.releaseExpected()) this.scheduler.expectedEndsCame();
    let happened = false;
    for (let job = this.arrivals.takeUntil(this.now); job !== undefined; job = this.arrivals.takeUntil(this.now)) {
      this.enqueue(job);
      this.pass();
      happened = true;
    }
    for (let job = this.ends.takeUntil(this.now); job !== undefined; job = this.ends.takeUntil(this.now)) {
      this.finish(job);
      this.pass();
      happened = true;
    }
    if (!happened) this.pass();
  }

  /** Starts whatever may start now. */
  private pass(): void {
    this.noticeOverruns();
    if (this.accepting) this.scheduler.pass();
  }

  private enqueue(job: number): void {
    const columns = this.table.columns;
    columns.state[job] = JobState.WAITING;
    if (this.belief) columns.believedSeconds[job] = this.believe(this.belief, job);
    this.scheduler.arrived(job);
  }

  private finish(job: number): void {
    this.machine.finish(job);
    this.scheduler.ended(job);
    this.belief?.learn?.(this.table.columns, job);
    this.listener.ended?.(job, this.now);
  }

  private kill(job: number, outcome: 'CANCELLED' | 'NODE_FAIL'): void {
    this.table.columns.outcome[job] = outcomeCode(outcome);
    this.machine.finish(job);
    this.scheduler.ended(job);
    this.listener.ended?.(job, this.now);
  }

  private applyOutages(): void {
    for (let outage = this.outages[0]; outage !== undefined && outage.at <= this.now; outage = this.outages[0]) {
      this.outages.shift();
      this.apply(outage);
      this.scheduler.surprised();
    }
  }

  private apply(outage: Outage): void {
    if (outage.kind === 'drain') this.accepting = false;
    else if (outage.kind === 'resume') this.accepting = true;
    else if (outage.kind === 'resize') this.resize(outage.processors);
    else {
      this.accepting = false;
      for (const job of [...this.running()]) this.kill(job, 'NODE_FAIL');
    }
  }

  /** Loses or regains processors; the jobs on lost ones die, those started last first. */
  private resize(processors: number): void {
    invariant(processors >= 0 && processors <= this.options.processors, `no machine of ${processors} processors`);
    const { startOrder } = this.table.columns;
    this.machine.freeProcessors += processors - this.machine.processors;
    this.machine.processors = processors;
    const youngestFirst = [...this.running()].sort((a, b) => (startOrder[b] as number) - (startOrder[a] as number));
    for (const job of youngestFirst) {
      if (this.machine.freeProcessors >= 0) return;
      this.kill(job, 'NODE_FAIL');
    }
  }

  private get beliefLasts(): boolean {
    return this.belief === undefined || this.belief.scope === 'all';
  }

  private believe(belief: RuntimeBelief, job: number): number {
    const walltime = this.table.columns.walltimeSeconds[job] as number;
    return Math.min(walltime, Math.max(1, belief.seconds(this.table.columns, job)));
  }

  private expectedEndOf(job: number): number {
    const { startAt, believedSeconds, walltimeSeconds } = this.table.columns;
    const seconds = this.beliefLasts ? believedSeconds[job] : walltimeSeconds[job];
    return (startAt[job] as number) + (seconds as number);
  }

  private noticeOverruns(): void {
    if (this.belief?.scope === 'all' && this.machine.extendOverrun().length > 0) this.scheduler.surprised();
  }
}

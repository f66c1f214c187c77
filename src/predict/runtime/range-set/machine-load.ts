import { type EpochSeconds, WEEK_SECONDS } from '../../../domain/clock.ts';
import type { EndedRecord, StartedRecord } from '../../../domain/job.ts';
import { keepClass } from '../../../domain/kept-classes.ts';

/** A job that runs, and the work of the machine up to its start. */
interface Begun {
  readonly processors: number;
  readonly workBefore: number;
}

/**
 * What share of a site's processors is in use, by the starts and ends that it was told of: while a job ran, and lately.
 * The machine is as large as it was last seen, or as many processors as were ever in use at once. O(1) for each start,
 * end and question. Source: hariharan-end-to-end-predictions, section III-A.
 */
export class MachineLoad {
  private readonly running = new Map<string, Begun>();
  private busyProcessors = 0;
  private processors = 1;
  /** Processor-seconds until `workedUntilAt`. */
  private work = 0;
  private workedUntilAt: EpochSeconds | null = null;
  /** The work at the end of each half hour of the last week, the oldest first. */
  private readonly marks: { readonly at: EpochSeconds; readonly work: number }[] = [];

  /** Takes in how large the machine is. */
  sized(processors: number): void {
    this.processors = Math.max(1, processors);
  }

  started({ nativeId, submitAt, startAt, processors }: StartedRecord): void {
    this.workUntil(startAt);
    this.running.set(`${nativeId}@${submitAt}`, { processors, workBefore: this.work });
    this.busyProcessors += processors;
    this.processors = Math.max(this.processors, this.busyProcessors);
  }

  /** Takes in an end, and tells the load while the job ran; null when its start was not told. */
  ended({ nativeId, submitAt, startAt, endAt }: EndedRecord): number | null {
    const name = `${nativeId}@${submitAt}`;
    const job = this.running.get(name);
    if (!job) return null;
    this.workUntil(endAt);
    this.running.delete(name);
    this.busyProcessors -= job.processors;
    const seconds = endAt - (startAt ?? endAt);
    return seconds > 0 ? (this.work - job.workBefore) / (seconds * this.processors) : this.present;
  }

  /** The mean load of the last week; that of the moment when less than an hour is known. */
  expected(now: EpochSeconds): number {
    const oldest = this.marks[0];
    if (!oldest || this.workedUntilAt === null || now - oldest.at < 2 * MARK_SECONDS) return this.present;
    const work = this.work + this.busyProcessors * Math.max(0, now - this.workedUntilAt);
    return Math.min(1, (work - oldest.work) / ((now - oldest.at) * this.processors));
  }

  private get present(): number {
    return Math.min(1, this.busyProcessors / this.processors);
  }

  private workUntil(at: EpochSeconds): void {
    const fromAt = this.workedUntilAt ?? at;
    if (at > fromAt) this.work += this.busyProcessors * (at - fromAt);
    this.workedUntilAt = Math.max(at, fromAt);
    const last = this.marks.at(-1);
    if (!last || at - last.at >= MARK_SECONDS) this.marks.push({ at, work: this.work });
    while ((this.marks[0] as { at: number }).at < at - WEEK_SECONDS && this.marks.length > 1) this.marks.shift();
  }
}

const MARK_SECONDS = 1800;

keepClass(MachineLoad);

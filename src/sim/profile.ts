import { partitionPoint } from '../domain/partition-point.ts';

/**
 * Free processors as a step function of future time. Steps are sorted by their moment; the last one lasts for ever.
 * Only the future matters: `forget` drops what has passed.
 */
export class Profile {
  private count = 1;
  private times = new Float64Array(64);
  private free = new Int32Array(64);

  constructor(fromAt: number, processors: number) {
    this.times[0] = fromAt;
    this.free[0] = processors;
  }

  /** Starts the function over with `processors` free from `fromAt` on. */
  reset(fromAt: number, processors: number): void {
    this.count = 1;
    this.times[0] = fromAt;
    this.free[0] = processors;
  }

  /** Drops the steps that ended by `now`. */
  forget(now: number): void {
    let passed = 0;
    while (passed + 1 < this.count && (this.times[passed + 1] as number) <= now) passed++;
    if (passed > 0) this.removeSteps(0, passed);
    if ((this.times[0] as number) < now) this.times[0] = now;
  }

  /** Processors free at `at`, at or after the first step. */
  freeAt(at: number): number {
    return this.free[this.stepAt(at)] as number;
  }

  /**
   * The first moment, not before `fromAt`, from which `processors` stay free for `seconds`; Infinity when that never
   * happens. Gives up, with Infinity, on reaching `beforeAt`.
   */
  earliest(processors: number, seconds: number, fromAt: number, beforeAt = Number.POSITIVE_INFINITY): number {
    const { times, free, count } = this;
    let startAt = fromAt;
    for (let step = this.stepAt(fromAt); step < count; step++) {
      if ((times[step] as number) >= startAt + seconds) return startAt;
      if ((free[step] as number) >= processors) continue;
      startAt = step + 1 < count ? (times[step + 1] as number) : Number.POSITIVE_INFINITY;
      if (startAt >= beforeAt) return Number.POSITIVE_INFINITY;
    }
    return startAt;
  }

  /** Adds `processors` (negative to take them) to what is free in [fromAt, untilAt). */
  add(processors: number, fromAt: number, untilAt: number): void {
    const begin = Math.max(fromAt, this.times[0] as number);
    if (begin >= untilAt) return;
    const first = this.cut(begin);
    const last = untilAt === Number.POSITIVE_INFINITY ? this.count : this.cut(untilAt);
    for (let step = first; step < last; step++) this.free[step] = (this.free[step] as number) + processors;
    this.join(last);
    this.join(first);
  }

  private stepAt(at: number): number {
    return Math.max(0, partitionPoint(this.count, (step) => (this.times[step] as number) <= at) - 1);
  }

  /** Makes a step begin at `at` and returns its index. */
  private cut(at: number): number {
    const step = this.stepAt(at);
    if (this.times[step] === at) return step;
    this.makeRoom();
    this.times.copyWithin(step + 2, step + 1, this.count);
    this.free.copyWithin(step + 2, step + 1, this.count);
    this.times[step + 1] = at;
    this.free[step + 1] = this.free[step] as number;
    this.count++;
    return step + 1;
  }

  /** Merges a step with the one before it when both say the same. */
  private join(step: number): void {
    if (step > 0 && step < this.count && this.free[step] === this.free[step - 1]) this.removeSteps(step, 1);
  }

  private removeSteps(from: number, steps: number): void {
    this.times.copyWithin(from, from + steps, this.count);
    this.free.copyWithin(from, from + steps, this.count);
    this.count -= steps;
  }

  private makeRoom(): void {
    if (this.count < this.times.length) return;
    const times = new Float64Array(this.times.length * 2);
    const free = new Int32Array(this.times.length * 2);
    times.set(this.times);
    free.set(this.free);
    this.times = times;
    this.free = free;
  }
}

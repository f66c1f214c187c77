import type { JobTable } from './job-table.ts';

const NOBODY = 0x7fffffff;

/** Sizes are told apart by powers of four: below 4, below 16, and so on; the last class holds everybody. */
const CLASSES = 8;

/** The first class that holds every size up to `processors`. */
function classOf(processors: number): number {
  return Math.min(CLASSES - 1, (31 - Math.clz32(Math.max(1, processors))) >> 1);
}

/**
 * Waiting jobs in the order of their arrival, with a search for the next one that may be backfilled. The slots are
 * leaves of a binary tree. Each node holds, of the jobs below it, the smallest size and for each class of sizes the
 * shortest believed runtime of jobs up to that class, so a search skips every stretch of the queue in which nobody is
 * small and short enough. Push and remove cost O(log n), mostly less since a node that does not change ends the climb;
 * a search visits O(log n) nodes, and more only when jobs up to four times too large are the short ones.
 */
export class ArrivalQueue {
  length = 0;
  private capacity = 64;
  private end = 0;
  private head = 0;
  private jobs = new Int32Array(64).fill(-1);
  private fewestProcessors = new Int32Array(128).fill(NOBODY);
  /** Whole seconds, rounded down, at `CLASSES x node + class`. */
  private shortestSeconds = new Int32Array(128 * CLASSES).fill(NOBODY);
  private positions = new Int32Array(1024);

  constructor(private readonly table: JobTable) {}

  push(job: number): void {
    if (this.end === this.capacity) this.rebuild();
    if (job >= this.positions.length) this.positions = widened(this.positions, job);
    const position = this.end++;
    this.jobs[position] = job;
    this.positions[job] = position;
    this.length++;
    this.setLeaf(
      position,
      this.table.columns.processors[job] as number,
      this.table.columns.believedSeconds[job] as number,
    );
  }

  remove(job: number): void {
    const position = this.positions[job] as number;
    this.jobs[position] = -1;
    this.length--;
    this.setLeaf(position, NOBODY, NOBODY);
  }

  /** The job that waits longest, -1 when nobody waits. */
  first(): number {
    while (this.head < this.end && this.jobs[this.head] === -1) this.head++;
    return this.head < this.end ? (this.jobs[this.head] as number) : -1;
  }

  /**
   * The first job behind `after` that needs at most `free` processors and either is believed to run at most
   * `windowSeconds` or needs at most `extra` processors; -1 when there is none.
   */
  nextFitting(after: number, free: number, windowSeconds: number, extra: number): number {
    const from = (this.positions[after] as number) + 1;
    if (from >= this.end) return -1;
    const { processors: sizes, believedSeconds } = this.table.columns;
    const fewestProcessors = this.fewestProcessors;
    const shortestSeconds = this.shortestSeconds;
    const capacity = this.capacity;
    const spare = Math.min(free, extra);
    const sizeClass = classOf(free);
    const wholeWindow = Math.min(windowSeconds, NOBODY - 1);
    let node = capacity + from;
    for (;;) {
      const mayFit =
        (fewestProcessors[node] as number) <= spare ||
        (shortestSeconds[CLASSES * node + sizeClass] as number) <= wholeWindow;
      if (mayFit && node >= capacity) {
        const job = this.jobs[node - capacity] as number;
        const size = sizes[job] as number;
        if (size <= spare || (size <= free && (believedSeconds[job] as number) <= windowSeconds)) return job;
      } else if (mayFit) {
        node *= 2;
        continue;
      }
      while ((node & 1) === 1) node >>= 1;
      if (node === 0) return -1;
      node++;
    }
  }

  /** The waiting jobs, longest waiting first. */
  *[Symbol.iterator](): Generator<number> {
    for (let position = this.head; position < this.end; position++) {
      const job = this.jobs[position] as number;
      if (job !== -1) yield job;
    }
  }

  private setLeaf(position: number, processors: number, seconds: number): void {
    const leaf = this.capacity + position;
    const sizeClass = classOf(processors);
    const wholeSeconds = processors === NOBODY ? NOBODY : Math.min(NOBODY - 1, Math.floor(seconds));
    this.fewestProcessors[leaf] = processors;
    for (let index = 0; index < CLASSES; index++) {
      this.shortestSeconds[CLASSES * leaf + index] = index < sizeClass ? NOBODY : wholeSeconds;
    }
    let node = leaf >> 1;
    while (node >= 1 && this.summarise(node)) node >>= 1;
  }

  /** Takes the smallest of a node's two children. Returns whether that changed anything. */
  private summarise(node: number): boolean {
    const fewestProcessors = this.fewestProcessors;
    const shortestSeconds = this.shortestSeconds;
    const left = 2 * node;
    const fewest = Math.min(fewestProcessors[left] as number, fewestProcessors[left + 1] as number);
    let changed = fewest !== fewestProcessors[node];
    fewestProcessors[node] = fewest;
    for (let index = CLASSES * node; index < CLASSES * (node + 1); index++) {
      const child = index + CLASSES * node;
      const shortest = Math.min(shortestSeconds[child] as number, shortestSeconds[child + CLASSES] as number);
      if (shortest === shortestSeconds[index]) continue;
      shortestSeconds[index] = shortest;
      changed = true;
    }
    return changed;
  }

  /** Closes the gaps that removed jobs left, in twice the room when that is not enough. */
  private rebuild(): void {
    const waiting = [...this];
    if (waiting.length * 2 > this.capacity) this.capacity *= 2;
    this.jobs = new Int32Array(this.capacity).fill(-1);
    this.fewestProcessors = new Int32Array(2 * this.capacity).fill(NOBODY);
    this.shortestSeconds = new Int32Array(2 * this.capacity * CLASSES).fill(NOBODY);
    this.end = 0;
    this.head = 0;
    this.length = 0;
    for (const job of waiting) this.push(job);
  }
}

function widened(positions: Int32Array<ArrayBuffer>, atLeast: number): Int32Array<ArrayBuffer> {
  const wider = new Int32Array(Math.max(positions.length * 2, atLeast + 1));
  wider.set(positions);
  return wider;
}

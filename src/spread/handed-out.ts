import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ExperimentRow } from '../experiment/experiment.ts';
import type { PartListener } from '../experiment/run/part-threads.ts';
import type { MachinesLink } from './machines.ts';
import {
  MOST_TIMES_STALLED,
  NoWorkersError,
  PartFault,
  type PartJob,
  type PartProgress,
  type PartResult,
  parseFault,
  RUN_SECONDS,
  runKey,
} from './part-jobs.ts';
import { shown } from './redis-link.ts';
import { parseResult } from './result-text.ts';
import { PULSE_KEY } from './worker-pulse.ts';

const LOOK_MILLISECONDS = 500;
/** Parts that are looked at together. */
const LOOKED_AT_ONCE = 50;
/** Workers pulse every few seconds. */
const QUIET_SECONDS = 15;

/**
 * The parts of one run in the queue. What became of them is read from their jobs, again and again, so no lost event
 * leaves one behind; a part whose job is gone, with a Redis that lost its memory, is handed out again.
 */
export class HandedOut {
  private readonly run = randomUUID();
  private readonly results = new Map<number, PartResult>();
  private readonly timesHandedOut: number[];
  private pulse: string | null | undefined;
  private heardAt = performance.now();
  private isQuiet = false;

  constructor(
    private readonly link: MachinesLink,
    private readonly common: Pick<PartJob, 'told' | 'files'>,
    private readonly parts: readonly string[],
    private readonly listener: PartListener,
  ) {
    this.timesHandedOut = parts.map(() => 0);
  }

  /** Waits for all of them. @throws PartFault, NoWorkersError */
  async collect(): Promise<ExperimentRow[]> {
    const end = new AbortController();
    try {
      await Promise.race([this.untilAllAreThere(end.signal), this.untilNobodyIs(end.signal)]);
    } finally {
      end.abort();
      await Promise.race([this.takeAway(), sleep(5000)]);
    }
    for (const [index, part] of this.parts.entries())
      for (const figure of this.results.get(index)?.figures ?? []) this.listener.onFigure(part, figure);
    return this.parts.flatMap((_, index) => this.results.get(index)?.rows ?? []);
  }

  private async untilAllAreThere(end: AbortSignal): Promise<void> {
    await this.listen();
    await this.handOut(this.parts.map((_, index) => index));
    while (!end.aborted) {
      await this.listen();
      const left = this.left();
      if (left.length === 0) return;
      for (let from = 0; from < left.length; from += LOOKED_AT_ONCE)
        await Promise.all(left.slice(from, from + LOOKED_AT_ONCE).map((index) => this.look(index)));
      if (this.left().length > 0) await sleep(LOOK_MILLISECONDS);
    }
  }

  /** Says that somebody waits for the run, and hears whether there are workers. */
  private async listen(): Promise<void> {
    await this.link.redis.set(runKey(this.run), '1', 'EX', RUN_SECONDS);
    const pulse = await this.link.redis.get(PULSE_KEY);
    if (this.pulse !== undefined && pulse !== this.pulse) this.heardAt = performance.now();
    this.pulse = pulse;
  }

  /** Redis or the workers may be away, and then nothing returns: so the clock is looked at beside it. */
  private async untilNobodyIs(end: AbortSignal): Promise<never> {
    const { patienceSeconds, onWorkers, url } = this.link.options;
    for (;;) {
      await sleep(LOOK_MILLISECONDS, undefined, { signal: end });
      const seconds = (performance.now() - this.heardAt) / 1000;
      const isQuiet = seconds > QUIET_SECONDS;
      if (isQuiet !== this.isQuiet) onWorkers(!isQuiet);
      this.isQuiet = isQuiet;
      if (seconds > patienceSeconds) {
        const left = `${this.left().length} of ${this.parts.length} parts are left`;
        const lasted = `no worker was heard of at ${shown(url)} for ${Math.round(seconds)} s`;
        throw new NoWorkersError(`${lasted}; ${left}`);
      }
    }
  }

  private left(): number[] {
    return [...this.parts.keys()].filter((index) => !this.results.has(index));
  }

  private async handOut(indexes: readonly number[]): Promise<void> {
    const { queue, build, options } = this.link;
    const jobs = indexes.map((index) => {
      this.timesHandedOut[index] = (this.timesHandedOut[index] ?? 0) + 1;
      const part = this.parts[index] as string;
      const data: PartJob = { ...this.common, run: this.run, part, build, mostSeconds: options.partSeconds };
      return { name: this.common.told.name, data, opts: { jobId: this.jobId(index) } };
    });
    await queue.addBulk(jobs);
  }

  private jobId(index: number): string {
    return `${this.run}_${index}`;
  }

  private async look(index: number): Promise<void> {
    const part = this.parts[index] as string;
    const job = await this.link.queue.getJob(this.jobId(index));
    const fault = job?.finishedOn && job.failedReason ? faultOf(part, job.failedReason) : null;
    // A Redis that lost its memory did not show the worker that somebody waits.
    if (fault?.kind === 'GONE') await job?.remove();
    if (!job || fault?.kind === 'GONE') {
      if ((this.timesHandedOut[index] ?? 0) > MOST_TIMES_STALLED) throw new PartFault('LOST', lostText(part));
      await this.handOut([index]);
      return;
    }
    const { doneJobs } = job.progress as Partial<PartProgress>;
    if (doneJobs !== undefined) this.listener.onProgress(part, doneJobs);
    if (fault) throw fault;
    if (!job.finishedOn) return;
    this.results.set(index, parseResult(job.returnvalue));
    await job.remove();
  }

  /** What is left of the run in the queue; parts in hand end when their workers find that nobody waits for them. */
  private async takeAway(): Promise<void> {
    await this.link.redis.del(runKey(this.run));
    const left = await Promise.all(this.left().map((index) => this.link.queue.getJob(this.jobId(index))));
    await Promise.allSettled(left.map((job) => job?.remove()));
  }
}

function faultOf(part: string, reason: string): PartFault {
  const { kind, message } = parseFault(reason);
  if (kind === 'CALLER') return new PartFault(kind, message);
  return new PartFault(kind, kind === 'LOST' ? lostText(part) : `part ${part}: ${message}`);
}

function lostText(part: string): string {
  return `part ${part}: each of the workers that began it died, ${MOST_TIMES_STALLED + 1} in all; have they enough memory?`;
}

import type { SimulatedJob } from '../../../src/sim/job-table.ts';

interface Held {
  readonly endAt: number;
  readonly expectedEndAt: number;
  readonly processors: number;
}

/**
 * EASY backfilling word for word, with nothing remembered between events and a linear search everywhere: at every event
 * ends, then submissions, then one pass from scratch. Returns the start of every job.
 */
export function referenceEasy(processors: number, jobs: readonly SimulatedJob[]): number[] {
  const startAt = jobs.map(() => Number.NaN);
  let running: Held[] = [];
  let queue: number[] = [];
  let submitted = 0;
  while (submitted < jobs.length || running.length > 0) {
    const nextSubmitAt = jobs[submitted]?.submitAt ?? Number.POSITIVE_INFINITY;
    const now = Math.min(nextSubmitAt, ...running.map((held) => held.endAt));
    running = running.filter((held) => held.endAt > now);
    while ((jobs[submitted]?.submitAt ?? Number.POSITIVE_INFINITY) <= now) queue.push(submitted++);
    queue = pass(now);
  }
  return startAt;

  function free(at: number): number {
    return (
      processors - running.filter((held) => held.expectedEndAt > at).reduce((sum, held) => sum + held.processors, 0)
    );
  }

  function start(index: number, now: number): void {
    const job = jobs[index] as SimulatedJob;
    startAt[index] = now;
    const endAt = now + Math.min(job.runSeconds, job.walltimeSeconds);
    running.push({ endAt, expectedEndAt: now + job.walltimeSeconds, processors: job.processors });
  }

  function pass(now: number): number[] {
    const waiting = [...queue];
    while (waiting.length > 0 && (jobs[waiting[0] as number] as SimulatedJob).processors <= free(now)) {
      start(waiting.shift() as number, now);
    }
    const head = jobs[waiting[0] ?? -1];
    if (!head) return [];
    const moments = running.map((held) => held.expectedEndAt).sort((a, b) => a - b);
    const shadowAt = moments.find((at) => free(at) >= head.processors) as number;
    let extra = free(shadowAt) - head.processors;
    return waiting.filter((index, position) => {
      if (position === 0) return true;
      const job = jobs[index] as SimulatedJob;
      const endsInTime = now + job.walltimeSeconds <= shadowAt;
      if (job.processors > free(now) || !(endsInTime || job.processors <= extra)) return true;
      if (!endsInTime) extra -= job.processors;
      start(index, now);
      return false;
    });
  }
}

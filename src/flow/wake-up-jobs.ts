import type { WakeUp } from '../store/outbox.ts';

/** In which version a row was overdue, and which process found it so, by its number in `src/store/presence.ts`. */
interface Swept {
  readonly version: number;
  readonly by: number;
}

/** A wake-up and how long it is still to be held back, in milliseconds of wall time. */
export interface DelayedWakeUp {
  readonly wakeUp: WakeUp;
  readonly delayMilliseconds: number;
  /** Of a row that a sweeper found overdue; null for a wake-up from the outbox. */
  readonly swept: Swept | null;
}

/** What became of a wake-up: carried out, or to come again after a while because it was early. */
export type WakeUpResult = 'DONE' | { readonly againInMilliseconds: number };

/** What a job of the queue carries: one wake-up, or several of executions that want their turns at once. */
export type JobData = WakeUp | { readonly wakeUps: readonly WakeUp[] };

/** The wake-ups of a job; none where there is none. */
export function wakeUpsOf(data: JobData | undefined): readonly WakeUp[] {
  if (data === undefined) return [];
  return 'wakeUps' in data ? data.wakeUps : [data];
}

/**
 * The jobs that bring some wake-ups of one queue. What executions want at once comes by few jobs. Those have no names,
 * and may be brought twice: the rows decide.
 */
export function jobsOf(wakeUps: readonly DelayedWakeUp[]) {
  const atOnce = wakeUps.filter(isAtOnce);
  if (atOnce.length < 2) return wakeUps.map(jobOf);
  const together = [...new Map(atOnce.map((one) => [jobId(one), one.wakeUp])).values()];
  const chunks = Math.ceil(together.length / MOST_TOGETHER);
  const jobs = Array.from({ length: chunks }, (_, n) => {
    const some = together.slice(n * MOST_TOGETHER, (n + 1) * MOST_TOGETHER);
    return { name: 'EXECUTIONS', data: { wakeUps: some }, opts: {} };
  });
  return [...jobs, ...wakeUps.filter((one) => !isAtOnce(one)).map(jobOf)];
}

function isAtOnce({ wakeUp, delayMilliseconds, swept }: DelayedWakeUp): boolean {
  return wakeUp.kind === 'EXECUTION' && delayMilliseconds <= 0 && swept === null;
}

/** Wake-ups of one job. */
const MOST_TOGETHER = 32;

function jobOf(delayed: DelayedWakeUp) {
  const { wakeUp, delayMilliseconds } = delayed;
  return { name: wakeUp.kind, data: wakeUp, opts: { jobId: jobId(delayed), delay: delayMilliseconds } };
}

/**
 * One job per row and moment, however often the relay brings it. A sweeper's have names of their own, because the job
 * that a dead worker had in hand blocks its name until BullMQ finds it stalled, up to a minute later, be it one of a
 * sweeper, too. The row's version keeps them to one per lost turn and process.
 */
function jobId({ wakeUp: { kind, targetId, wakeAt }, swept }: DelayedWakeUp): string {
  const moment = Math.round(wakeAt * 1000);
  return `${kind}_${targetId}_${moment}${swept === null ? '' : `_swept_${swept.version}_${swept.by}`}`;
}

/** Some of a job's wake-ups failed. The job is tried again, and does nothing for those that did not. */
export class SomeFailed extends Error {}

/**
 * Carries out the wake-ups of one job, all of them at once.
 * @param onError told of each of several that fails
 * @returns in how many milliseconds the job is to come again, for those that were early; null when it is done
 * @throws what the only one throws, SomeFailed when some of several failed
 */
export async function handleAll(
  wakeUps: readonly WakeUp[],
  handle: (wakeUp: WakeUp) => Promise<WakeUpResult>,
  onError: (error: Error, wakeUp: WakeUp) => void,
): Promise<number | null> {
  const [first, second] = wakeUps;
  if (first === undefined) return null;
  if (second === undefined) return pauseOf(await handle(first));
  let failed = 0;
  const results = await Promise.all(
    wakeUps.map((wakeUp) =>
      handle(wakeUp).catch((error: Error) => {
        failed++;
        onError(error, wakeUp);
        return 'DONE' as const;
      }),
    ),
  );
  if (failed > 0) throw new SomeFailed(`${failed} of ${wakeUps.length} wake-ups failed`);
  const pauses = results.map(pauseOf).filter((pause) => pause !== null);
  return pauses.length === 0 ? null : Math.min(...pauses);
}

function pauseOf(result: WakeUpResult): number | null {
  return result === 'DONE' ? null : result.againInMilliseconds;
}

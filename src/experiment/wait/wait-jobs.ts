import { hasCompleted, type JobRecord } from '../../domain/job.ts';

/** What becomes of jobs that failed or were cancelled. */
export const UNCOMPLETED_JOBS = ['scored', 'seen', 'removed'] as const;
export type UncompletedJobs = (typeof UNCOMPLETED_JOBS)[number];

/** The jobs that a wait experiment replays, and which of them it scores. */
export interface WaitJobs {
  readonly records: readonly JobRecord[];
  /** Entry i is 1 when record i is forecast and scored. */
  readonly isScored: Uint8Array;
  /** The scored range, by the numbers of the numbered jobs from 0, both ends included. */
  readonly first: number;
  readonly last: number;
}

/** The test set of hariharan-end-to-end-predictions, section V: its jobs 20,001 to 60,000, numbered here from 0. */
export const PAPER_TEST_SET = '20000-59999';

/**
 * Picks the jobs of an experiment. Jobs are numbered from 0 in the order of submission. Jobs that did not complete are
 * numbered and scored like all others (`scored`), are in the queue and teach but are neither numbered nor scored
 * (`seen`), or are not there at all (`removed`, as in hariharan-end-to-end-predictions). Jobs whose outcome the log
 * does not tell count as completed.
 * @param scored `FIRST-LAST`; the test set of the paper becomes the last two thirds of a log that does not reach it
 * @param every scores one in so many jobs of the range, to explore; the others are replayed all the same
 * @throws RangeError for a range that is none, or that the log does not reach
 */
export function pickWaitJobs(
  all: readonly JobRecord[],
  scored: string,
  uncompleted: UncompletedJobs,
  every = 1,
): WaitJobs {
  const records = uncompleted === 'removed' ? all.filter(hasCompleted) : all;
  const numbered = [...records.keys()].filter(
    (job) => uncompleted !== 'seen' || hasCompleted(records[job] as JobRecord),
  );
  const { first, last } = rangeWithin(scored, numbered.length);
  const isScored = new Uint8Array(records.length);
  for (let number = first; number <= last; number += every) isScored[numbered[number] as number] = 1;
  return { records, isScored, first, last };
}

function rangeWithin(text: string, count: number): { first: number; last: number } {
  if (count === 0) throw new RangeError('none of these jobs of the log can be scored');
  const [, first, last] = /^(\d+)-(\d+)$/.exec(text) ?? [];
  if (first === undefined || Number(first) > Number(last)) {
    throw new RangeError(
      `parameter scored must be FIRST-LAST, for example ${PAPER_TEST_SET}, not ${JSON.stringify(text)}`,
    );
  }
  const end = Math.min(Number(last), count - 1);
  if (Number(first) < count) return { first: Number(first), last: end };
  if (text === PAPER_TEST_SET) return { first: Math.floor(count / 3), last: end };
  throw new RangeError(`parameter scored is ${text}, but the log has jobs 0 to ${count - 1} only`);
}

import type { EpochSeconds } from '../../domain/clock.ts';
import {
  asOfStart,
  type EndedRecord,
  hasEnded,
  hasStarted,
  type JobRecord,
  requestOf,
  type StartedRecord,
  type SubmittedJob,
} from '../../domain/job.ts';

/** One thing that becomes known, in the order in which it does. `job` is the record's index. */
export type Revelation =
  | { readonly kind: 'submit'; readonly at: EpochSeconds; readonly job: number; readonly submission: SubmittedJob }
  | { readonly kind: 'start'; readonly at: EpochSeconds; readonly job: number; readonly record: StartedRecord }
  | { readonly kind: 'end'; readonly at: EpochSeconds; readonly job: number; readonly record: EndedRecord };

const SUBMIT = 0;
const START = 1;
const END = 2;

/**
 * Replays records as their site lived through them. A job is first seen as a question (`submit`, nothing of its fate),
 * then with its wait (`start`, nothing of its end), then whole (`end`, also when it was cancelled while it waited). At
 * one moment the questions come before the answers, so nothing that happens at a moment is known to what is predicted
 * at it.
 * @param records in any order; those of one moment are asked about in the order given
 */
export function* reveal(records: readonly JobRecord[]): Generator<Revelation> {
  for (const code of eventOrder(records)) {
    const job = Math.floor(code / 3);
    const record = records[job] as JobRecord;
    if (code % 3 === SUBMIT) yield { kind: 'submit', at: record.submitAt, job, submission: submissionOf(record) };
    else if (code % 3 === END) {
      if (hasEnded(record)) yield { kind: 'end', at: record.endAt, job, record };
    } else if (hasStarted(record)) {
      yield { kind: 'start', at: record.startAt, job, record: asOfStart(record) };
    }
  }
}

/** A record as it was when its job was submitted. */
export function submissionOf(record: JobRecord): SubmittedJob {
  const { nativeId, submitAt } = record;
  return { nativeId, ...requestOf(record), submitAt };
}

/** A record with all but its submission hidden. */
export function unstarted(record: JobRecord): JobRecord {
  const { use: _use, ...known } = record;
  return { ...known, startAt: null, endAt: null, outcome: null };
}

/** All events as `3 x job + kind`, by moment, then kind, then job. */
function eventOrder(records: readonly JobRecord[]): Float64Array {
  const codes: number[] = [];
  for (const [job, { startAt, endAt }] of records.entries()) {
    codes.push(3 * job + SUBMIT);
    if (startAt !== null) codes.push(3 * job + START);
    if (endAt !== null) codes.push(3 * job + END);
  }
  const momentOf = (code: number): number => {
    const { submitAt, startAt, endAt } = records[Math.floor(code / 3)] as JobRecord;
    const kind = code % 3;
    return (kind === SUBMIT ? submitAt : kind === START ? startAt : endAt) as number;
  };
  const order = Float64Array.from(codes);
  return order.sort((a, b) => momentOf(a) - momentOf(b) || (a % 3) - (b % 3) || a - b);
}

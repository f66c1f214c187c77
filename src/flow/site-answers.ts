import { z } from 'zod';
import type { EpochSeconds } from '../domain/clock.ts';
import { JOB_OUTCOMES } from '../domain/job.ts';

/** The largest that a column holds; limits beyond it are none. */
const LARGEST_INTEGER = 2 ** 31 - 1;
const LONGEST_NAME = 1024;
const MOST_JOBS = 1_000_000;
const MOST_QUEUES = 10_000;

/** Text that PostgreSQL takes: no NUL, no half of a surrogate pair. */
const text = z
  .string()
  .max(LONGEST_NAME)
  .refine((value) => !/\0|\p{Surrogate}/u.test(value), 'a character that is none');
const name = text.min(1);
const count = z.int().min(0).max(LARGEST_INTEGER);
/** Many sites say that large for no limit at all. */
const seconds = z
  .number()
  .nonnegative()
  .transform((value) => Math.min(Math.round(value), LARGEST_INTEGER));

/** What the answers of a site must look like, whatever its adapter, when nothing that they tell of is later than `latestAt`. */
export function siteAnswers(latestAt: EpochSeconds) {
  const moment = z.number().nonnegative().max(latestAt, 'a moment that is yet to come');
  const job = {
    nativeId: name,
    user: text.nullable(),
    queue: text.nullable(),
    processors: count,
    requestedWalltimeSeconds: seconds.nullable(),
    submitAt: moment,
  };
  const waiting = z.object({ ...job, key: text.nullable() });
  const record = z.object({
    ...job,
    startAt: moment.nullable(),
    endAt: moment.nullable(),
    outcome: z.enum(JOB_OUTCOMES).nullable(),
  });
  const ref = { nativeId: name, submittedAt: moment, key: text.exactOptional() };
  const nativeJob = z.discriminatedUnion('state', [
    z.object({ ...ref, state: z.literal('WAITING'), startAt: z.null(), endAt: z.null(), outcome: z.null() }),
    z.object({ ...ref, state: z.literal('RUNNING'), startAt: moment, endAt: z.null(), outcome: z.null() }),
    z.object({
      ...ref,
      state: z.literal('ENDED'),
      startAt: moment.nullable(),
      endAt: moment,
      outcome: z.enum(JOB_OUTCOMES),
      exitCode: z.int().min(-LARGEST_INTEGER).max(LARGEST_INTEGER).nullable(),
    }),
  ]);
  return {
    facts,
    snapshot: z.object({
      observedAt: z.number(),
      processors: count,
      freeProcessors: count,
      waiting: z.array(waiting).max(MOST_JOBS),
      running: z.array(z.object({ ...waiting.shape, startAt: moment })).max(MOST_JOBS),
    }),
    acceptance: z.object(ref),
    found: nativeJob.nullable(),
    inspected: z.map(name, nativeJob),
    history: z.object({ records: z.array(record).max(MOST_JOBS), nextSince: z.number().nonnegative() }),
  };
}

const queue = z.object({
  name,
  isDefault: z.boolean(),
  maxProcessors: count.nullable(),
  maxWalltimeSeconds: seconds.nullable(),
});
const facts = z.object({
  processors: count,
  queues: z
    .array(queue)
    .max(MOST_QUEUES)
    .refine((queues) => new Set(queues.map((one) => one.name)).size === queues.length, 'two queues of one name'),
});

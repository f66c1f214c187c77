import { z } from 'zod';
import type { EpochSeconds } from '../domain/clock.ts';
import { JOB_OUTCOMES, type JobRecord } from '../domain/job.ts';
import type { JobUse } from '../domain/job-use.ts';
import type { Program } from '../domain/program.ts';
import { SITE_TERMS } from '../domain/resources.ts';
import { type MaintenanceWindow, QUEUE_BARS, type QueueFacts, type SiteFacts } from '../domain/site.ts';
import type { HistoryPage, NativeJob, NativeRef } from '../domain/site-adapter.ts';
import type { RunningJob, Snapshot, WaitingJob } from '../domain/snapshot.ts';
import { licences, nodeShapes, queueAllocation } from './resource-answers.ts';

/** A schema for every property, the optional ones too: what has none would be lost on the way, without a word. */
export type Every<Answer> = { readonly [Name in keyof Answer]-?: z.ZodType };

/** The largest that a column holds; limits beyond it are none. */
const LARGEST_INTEGER = 2 ** 31 - 1;
const LONGEST_NAME = 1024;
const MOST_JOBS = 1_000_000;
const MOST_ARGUMENTS = 1000;
const MOST_QUEUES = 10_000;
const MOST_WINDOWS = 1000;
/** The last second of the year 9999: maintenance without an end lasts until then at most. */
const LATEST_MOMENT = 253_402_300_799;

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

/** What is told of a job beside what is planned on: nonsense among it counts as nothing said. */
const amount = z.number().nonnegative().max(Number.MAX_SAFE_INTEGER).nullable().catch(null);
const ofRequest = {
  account: text.optional().catch(undefined),
  group: text.optional().catch(undefined),
  program: z
    .object({
      name: text.nullable().catch(null),
      script: z.null(),
      arguments: z.array(text).max(MOST_ARGUMENTS),
      workFolder: text.nullable().catch(null),
    } satisfies Every<Omit<Program, 'embedding'>>)
    .optional()
    .catch(undefined),
  gpus: count.optional().catch(undefined),
  memoryMebibytes: count.optional().catch(undefined),
};
const use = z
  .object({
    cpuSeconds: amount,
    memoryBytes: amount,
    readBytes: amount,
    writtenBytes: amount,
  } satisfies Every<JobUse>)
  .optional()
  .catch(undefined);

/**
 * What the answers of a site must look like, whatever its adapter, when nothing that they tell of is later than what
 * `latestAt` says as they are looked at.
 */
export function siteAnswers(latestAt: () => EpochSeconds) {
  const moment = z
    .number()
    .nonnegative()
    .refine((at) => at <= latestAt(), 'a moment that is yet to come');
  const record = {
    nativeId: name,
    user: text.nullable(),
    queue: text.nullable(),
    processors: count,
    requestedWalltimeSeconds: seconds.nullable(),
    submitAt: moment,
    startAt: moment.nullable(),
    endAt: moment.nullable(),
    outcome: z.enum(JOB_OUTCOMES).nullable(),
    ...ofRequest,
    use,
  } satisfies Every<JobRecord>;
  const { startAt: _startAt, endAt: _endAt, outcome: _outcome, use: _use, ...listed } = record;
  const waiting = { ...listed, key: text.nullable(), ...remarks } satisfies Every<WaitingJob>;
  const running = { ...waiting, startAt: moment } satisfies Every<RunningJob>;
  const nativeJob = nativeJobAnswer(moment);
  return {
    facts,
    snapshot: z.object({
      observedAt: z.number(),
      processors: count,
      freeProcessors: count,
      waiting: z.array(z.object(waiting)).max(MOST_JOBS),
      running: z.array(z.object(running)).max(MOST_JOBS),
    } satisfies Every<Omit<Snapshot, 'clockSkewSeconds' | 'parts'>>),
    acceptance: z.object(refAnswer(moment)),
    found: nativeJob.nullable(),
    inspected: z.map(name, nativeJob),
    history: z.object({
      records: z.array(z.object(record)).max(MOST_JOBS),
      nextSince: z.number().nonnegative(),
    } satisfies Every<HistoryPage>),
  };
}

/** A job of ours in one of its three states, as told by the answers to `find` and `inspect`. */
function nativeJobAnswer(moment: z.ZodNumber) {
  const known = { ...refAnswer(moment), earlierRunSeconds: seconds.exactOptional() };
  const waiting = {
    ...known,
    ...{ state: z.literal('WAITING'), startAt: z.null(), endAt: z.null(), outcome: z.null() },
  } satisfies Every<NativeJobIn<'WAITING'>>;
  const running = {
    ...known,
    ...{ state: z.literal('RUNNING'), startAt: moment, endAt: z.null(), outcome: z.null() },
  } satisfies Every<NativeJobIn<'RUNNING'>>;
  const ended = {
    ...known,
    ...{ state: z.literal('ENDED'), startAt: moment.nullable(), endAt: moment, outcome: z.enum(JOB_OUTCOMES) },
    exitCode: z.int().min(-LARGEST_INTEGER).max(LARGEST_INTEGER).nullable(),
    note: text.optional().catch(undefined),
    billedProcessors: z.number().nonnegative().max(LARGEST_INTEGER).exactOptional(),
  } satisfies Every<NativeJobIn<'ENDED'>>;
  return z.discriminatedUnion('state', [z.object(waiting), z.object(running), z.object(ended)]);
}

type NativeJobIn<State extends NativeJob['state']> = Extract<NativeJob, { state: State }>;

function refAnswer(moment: z.ZodNumber) {
  return { nativeId: name, submittedAt: moment, key: text.exactOptional() } satisfies Every<NativeRef>;
}

/** What a site says of its jobs beside what is planned on: nonsense among it counts as nothing said. */
const remarks = {
  reason: text.nullable().catch(null).exactOptional(),
  estimatedStartAt: z.number().nonnegative().nullable().catch(null).exactOptional(),
  priority: z.number().nullable().catch(null).exactOptional(),
};

const queue = z.object({
  name,
  isDefault: z.boolean(),
  maxProcessors: count.nullable(),
  maxWalltimeSeconds: seconds.nullable(),
  processors: count.nullable().exactOptional(),
  usableProcessors: count.nullable().exactOptional(),
  bar: z.enum(QUEUE_BARS).nullable().exactOptional(),
  barredTerm: z.enum(SITE_TERMS).nullable().exactOptional(),
  unusableBecause: text.nullable().exactOptional(),
  allocation: queueAllocation,
} satisfies Every<QueueFacts>);
const maintenance = z
  .object({
    startAt: z.number().nonnegative().max(LATEST_MOMENT),
    endAt: z.number().nonnegative().max(LATEST_MOMENT),
    processors: count.nullable(),
    reason: text,
    queues: z.record(name, count).exactOptional(),
  } satisfies Every<MaintenanceWindow>)
  .refine(({ startAt, endAt }) => startAt <= endAt, 'a maintenance that ends before it begins');
const facts = z.object({
  processors: count,
  queues: z
    .array(queue)
    .max(MOST_QUEUES)
    .refine((queues) => new Set(queues.map((one) => one.name)).size === queues.length, 'two queues of one name'),
  maintenance: z.array(maintenance).max(MOST_WINDOWS).exactOptional(),
  nodeShapes,
  licences,
} satisfies Every<SiteFacts>);

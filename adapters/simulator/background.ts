import { DAY_SECONDS, type EpochSeconds } from '../../src/domain/clock.ts';
import type { Program } from '../../src/domain/program.ts';
import type { QueueFacts } from '../../src/domain/site.ts';
import { admittingQueue } from '../../src/sim/admission.ts';
import { generateJobs } from '../../src/sim/generator.ts';
import type { OwnedJob, SourceDetail } from '../../src/sim/job-source.ts';
import { LoggedJobs } from '../../src/sim/logged-jobs.ts';
import type { Workload } from '../../src/sim/workload.ts';
import type { ResolvedSiteConfig } from './config.ts';

/** Pause between the end of a trace and its next round. */
const ROUND_PAUSE_SECONDS = 600;

/**
 * An endless stream of other people's jobs: those of the workload that a site is configured with, beginning its warm
 * days before `originAt`.
 */
export function* backgroundOf(
  config: ResolvedSiteConfig,
  processors: number,
  queues: readonly QueueFacts[],
  originAt: EpochSeconds,
  trace: Workload | null,
): Generator<OwnedJob, never> {
  const fromAt = originAt - config.warmDays * DAY_SECONDS;
  const jobs = trace
    ? replay(trace, skipDaysOf(config), processors, fromAt)
    : generated(config, processors, queues, fromAt);
  for (;;) {
    const job = jobs.next().value;
    const queue = admittingQueue(queues, job.processors, job.walltimeSeconds);
    if (queue) yield { ...job, queue: queue.name };
  }
}

type QueuelessJob = Omit<OwnedJob, 'queue'>;

function* generated(
  config: ResolvedSiteConfig,
  processors: number,
  queues: readonly QueueFacts[],
  fromAt: EpochSeconds,
): Generator<QueuelessJob, never> {
  if (!('generated' in config.workload)) throw new RangeError(`site ${config.name} has no generated workload`);
  const { seed, load, users, steady } = config.workload.generated;
  const limits = queues.map((queue) => queue.maxWalltimeSeconds ?? Number.POSITIVE_INFINITY);
  const longest = Math.max(...limits);
  const stream = generateJobs({
    seed,
    load,
    processors,
    ...(steady === undefined ? {} : { steady }),
    fromAt,
    ...(users === undefined ? {} : { users }),
    ...(Number.isFinite(longest) ? { maxWalltimeSeconds: longest } : {}),
  });
  for (;;) {
    const job = stream.next().value;
    yield { ...job, user: userName(job.user), detail: { program: programOf(job.application) } };
  }
}

function skipDaysOf({ workload }: ResolvedSiteConfig): number {
  return 'trace' in workload ? workload.trace.skipDays : 0;
}

/**
 * The trace's jobs from `skipDays` on, shifted so that the first comes at `fromAt` or soon after, then round after
 * round.
 */
function* replay(
  trace: Workload,
  skipDays: number,
  processors: number,
  fromAt: EpochSeconds,
): Generator<QueuelessJob, never> {
  const { submitAt, user } = trace.columns;
  const firstAt = submitAt[0] as number;
  const lastAt = submitAt[trace.length - 1] as number;
  const beginAt = firstAt + skipDays * DAY_SECONDS;
  if (beginAt > lastAt) throw new RangeError(`${trace.name} is over before day ${skipDays}`);
  const roundSeconds = Math.ceil(lastAt - firstAt) + ROUND_PAUSE_SECONDS;
  const logged = new LoggedJobs(trace, processors);
  let from = submitAt.subarray(0, trace.length).findIndex((at) => at >= beginAt);
  for (let shift = Math.ceil(fromAt - beginAt); ; shift += roundSeconds) {
    let yielded = false;
    for (let index = from; index < trace.length; index++) {
      const job = logged.jobAt(index);
      if (!job) continue;
      yielded = true;
      const submitAt = Math.floor(job.submitAt) + shift;
      yield { ...job, submitAt, user: userName(user[index] as number), detail: detailOf(trace, index) };
    }
    if (!yielded && from === 0)
      throw new RangeError(`no job of ${trace.name} fits a machine of ${processors} processors`);
    from = 0;
  }
}

/** What a log tells of a job beside its numbers, and of numbers that stand for a program or a group their names. */
function detailOf({ told, columns }: Workload, index: number): SourceDetail {
  const [group, executable] = [columns.group[index] as number, columns.executable[index] as number];
  const { nativeId: _nativeId, outcome: _outcome, ...detail } = told[index] ?? {};
  return {
    ...(told[index] === undefined && group > 0 && { group: `group${group}` }),
    ...(executable > 0 && { program: programOf(executable) }),
    ...detail,
  };
}

function programOf(executable: number): Program {
  return { name: `application${executable}`, script: null, arguments: [], workFolder: null };
}

function userName(number: number): string {
  return number > 0 ? `user${String(number).padStart(3, '0')}` : 'unknown';
}

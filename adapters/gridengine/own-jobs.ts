import type { EpochSeconds } from '../../src/domain/clock.ts';
import type { NativeJob, NativeRef } from '../../src/domain/site-adapter.ts';
import { jobNameOf } from '../shared/job-name.ts';
import { presentMoment } from '../shared/present-moment.ts';
import { isMeant, SAME_SUBMISSION_SECONDS } from '../shared/same-job.ts';
import { type AccountingEntry, wasPutBack } from './accounting.ts';
import type { GridEngineCommands } from './commands.ts';
import { endOf, jobOfListing, lastRuns } from './native-jobs.ts';
import type { SubmissionTimes } from './submission-times.ts';
import { WithdrawnJobs } from './withdrawn-jobs.ts';

/** So many fit an argument. */
const NUMBERS_PER_CALL = 10_000;

/** The jobs of ours at a cell: found, followed and cancelled. */
export class OwnJobs {
  private readonly withdrawn = new WithdrawnJobs();

  constructor(
    private readonly commands: GridEngineCommands,
    private readonly submissionTimes: SubmissionTimes,
  ) {}

  async find(key: string, intendedAt: EpochSeconds): Promise<NativeJob | null> {
    const name = jobNameOf(key);
    const listed = (await this.commands.listJobs('OWN')).filter((job) => job.name === name);
    const [queued] = await this.submissionTimes.date(listed);
    if (queued) return jobOfListing(queued);
    const writtenSince = intendedAt - SAME_SUBMISSION_SECONDS;
    const { entries } = await this.commands.readAccounting({ name, writtenSince });
    const last = lastRuns(entries).values().next().value;
    return last ? endOf(last, intendedAt) : this.withdrawn.byName(name);
  }

  async inspect(refs: readonly NativeRef[]): Promise<ReadonlyMap<string, NativeJob>> {
    const wanted = new Map(refs.filter(isOfOneJob).map((ref) => [ref.nativeId, ref]));
    if (wanted.size === 0) return new Map();
    const listed = (await this.commands.listJobs('OWN')).filter(({ nativeId }) => wanted.has(nativeId));
    const queued = (await this.submissionTimes.date(listed)).filter((job) =>
      isMeant(wanted.get(job.nativeId) as NativeRef, job.name, job.submitAt),
    );
    const inQueue = new Set(queued.map(({ nativeId }) => nativeId));
    const ended = await this.readEnds([...wanted.values()].filter(({ nativeId }) => !inQueue.has(nativeId)));
    return new Map([...queued.map(jobOfListing), ...ended].map((job) => [job.nativeId, job]));
  }

  async cancel(ref: NativeRef): Promise<void> {
    if (!isOfOneJob(ref)) return;
    const detail = (await this.commands.describeJobs([ref.nativeId])).get(ref.nativeId);
    if (!detail || !isMeant(ref, detail.name, detail.submitAt)) return;
    const answer = await this.commands.remove(ref.nativeId);
    if (answer === 'WITHDRAWN') this.withdrawn.add(ref, detail, presentMoment());
  }

  /** Ends of the given jobs as far as they are known. */
  private async readEnds(refs: readonly NativeRef[]): Promise<NativeJob[]> {
    if (refs.length === 0) return [];
    const writtenSince = Math.min(...refs.map(({ submittedAt }) => submittedAt)) - SAME_SUBMISSION_SECONDS;
    const numbers = refs.map(({ nativeId }) => nativeId);
    const entries: AccountingEntry[] = [];
    for (let first = 0; first < numbers.length; first += NUMBERS_PER_CALL) {
      const some = numbers.slice(first, first + NUMBERS_PER_CALL);
      entries.push(...(await this.commands.readAccounting({ numbers: some, writtenSince })).entries);
    }
    const runs = lastRuns(entries);
    return refs.flatMap((ref) => {
      const run = runs.get(ref.nativeId);
      // Where accounting does not tell when a run was submitted only its key proves whose it is.
      const unknownAt = ref.key === undefined ? ref.submittedAt : Number.NEGATIVE_INFINITY;
      const isTheEnd = run && !wasPutBack(run) && isMeant(ref, run.name, run.submitAt ?? unknownAt);
      const end = isTheEnd ? endOf(run, ref.submittedAt) : this.withdrawn.find(ref);
      return end ? [end] : [];
    });
  }
}

/** Whether the id is one job's, and neither a list, a pattern nor an option to the commands. */
function isOfOneJob({ nativeId }: NativeRef): boolean {
  return /^\d+$/.test(nativeId);
}

import type { EpochSeconds } from '../domain/clock.ts';
import type { JobRecord } from '../domain/job.ts';
import { ownProgram, toldScript } from '../domain/program.ts';
import { workBeginsAt } from '../plan/reservation/held-again.ts';
import type { Db } from '../store/database.ts';
import { findNewestSince, listOwnJobs, type OwnJob } from '../store/own-jobs.ts';
import { readScripts } from '../store/scripts.ts';

/**
 * Tells what our own jobs run, which their sites do not know. A text is in memory once, however many records bear it:
 * those of the newest jobs of a site, of which the newest are kept from one reading to the next.
 */
export class OwnPrograms {
  private readonly texts = new Map<string, string>();

  constructor(
    private readonly db: Db,
    private readonly siteId: string,
  ) {}

  /** The records, those of our own jobs with their programs. */
  async tell<Told extends JobRecord>(records: readonly Told[]): Promise<Told[]> {
    const nativeIds = records.map(({ nativeId }) => nativeId);
    const jobs = new Map<string, OwnJob[]>();
    for (const job of await listOwnJobs(this.db, this.siteId, nativeIds)) {
      jobs.set(job.nativeId, [...(jobs.get(job.nativeId) ?? []), job]);
    }
    if (jobs.size === 0) return [...records];
    const since = await findNewestSince(this.db, this.siteId, MOST_JOBS_WITH_TEXTS);
    const found = new Map<Told, OwnJob>();
    for (const record of records) {
      const job = ownJobOf(record, jobs.get(record.nativeId) ?? []);
      if (job) found.set(record, job.intendedAt < since ? { ...job, scriptHash: null } : job);
    }
    await this.readTexts([...found.values()].flatMap(({ scriptHash }) => scriptHash ?? []));
    const told = records.map((record) => this.withProgram(record, found.get(record)));
    this.forget();
    return told;
  }

  private withProgram<Told extends JobRecord>(record: Told, job: OwnJob | undefined): Told {
    if (!job) return record;
    const { name, scriptHash, arguments: args } = job;
    const script = scriptHash === null ? null : (this.texts.get(scriptHash) ?? null);
    const program = ownProgram({ name, script, arguments: args });
    return { ...record, program: { ...program, workFolder: record.program?.workFolder ?? null } };
  }

  private async readTexts(hashes: readonly string[]): Promise<void> {
    const wanted = [...new Set(hashes)];
    const missing = wanted.filter((hash) => !this.texts.has(hash));
    for (const [hash, text] of await readScripts(this.db, missing)) this.texts.set(hash, toldScript(text));
    for (const hash of wanted) this.moveToEnd(hash);
  }

  private moveToEnd(hash: string): void {
    const text = this.texts.get(hash);
    if (text === undefined) return;
    this.texts.delete(hash);
    this.texts.set(hash, text);
  }

  private forget(): void {
    for (const hash of this.texts.keys()) {
      if (this.texts.size <= MOST_TEXTS) return;
      this.texts.delete(hash);
    }
  }
}

/**
 * The job of ours that a record is of. Sites give ids again, some within seconds, so the nearest submission counts, and
 * none that is too far. One that held its processors before its own work is left out: how long that runs is not how
 * long the record ran.
 */
function ownJobOf(record: JobRecord, jobs: readonly OwnJob[]): OwnJob | null {
  const secondsApart = ({ submittedAt, intendedAt }: OwnJob) => Math.abs(record.submitAt - (submittedAt ?? intendedAt));
  const mostApart = ({ submittedAt }: OwnJob) => (submittedAt === null ? CLOCKS_APART_SECONDS : ROUNDING_SECONDS);
  const [nearest = null] = jobs
    .filter((job) => secondsApart(job) <= mostApart(job))
    .sort((a, b) => secondsApart(a) - secondsApart(b));
  return nearest && heldSeconds(record, nearest) <= MOST_HELD_SECONDS ? nearest : null;
}

function heldSeconds({ startAt }: JobRecord, job: OwnJob): number {
  return startAt === null ? 0 : (beginsAt(job) ?? startAt) - startAt;
}

function beginsAt({ mode, startAt, windowOpensAt, gateOpenedAt }: OwnJob): EpochSeconds | null {
  return mode === null || startAt === null ? gateOpenedAt : workBeginsAt({ mode, startAt, windowOpensAt });
}

const MOST_JOBS_WITH_TEXTS = 2000;
const MOST_TEXTS = 500;
/** By so much the clock of a site may differ from ours. */
const CLOCKS_APART_SECONDS = 600;
/** By so much its accounting may differ from what it said at the submission. */
const ROUNDING_SECONDS = 60;
const MOST_HELD_SECONDS = 60;

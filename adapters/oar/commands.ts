import type { EpochSeconds } from '../../src/domain/clock.ts';
import { Rejected, type SiteFailure, Unavailable, Unknown } from '../../src/domain/failures.ts';
import type { CommandResult } from '../shared/command.ts';
import type { CommandSite } from '../shared/command-site.ts';
import { parseProperties, type ResourceProperties } from './equipment.ts';
import {
  countResources,
  formatWalltime,
  type ListedRow,
  type OarJob,
  type OarResource,
  parseJobs,
  parseResources,
  parseRows,
} from './parse.ts';

/** What `oarsub` is told. */
export interface Submission {
  readonly jobName: string;
  readonly command: string;
  /** Value of `-l` but for the walltime. */
  readonly resources: string;
  readonly walltimeSeconds: number;
  readonly queue: string | null;
  /** Words for what else it asks for, made of checked names and figures. */
  readonly requests: readonly string[];
  readonly workFolder: string | undefined;
}

/** Which jobs of OAR's table are wanted. Names and numbers only: they become part of an SQL condition. */
export type JobSelection =
  | { readonly name: string }
  | { readonly numbers: readonly string[] }
  | { readonly endedSince: EpochSeconds; readonly most: number };

/**
 * An OAR server's commands, each with what it may answer. Every method throws what `CommandSite` does, and what its
 * answer means.
 */
export class OarCommands {
  constructor(private readonly site: CommandSite) {}

  /**
   * Everybody's jobs that have not ended. `--format 2` is the short listing, whatever the site's configuration prefers.
   */
  listJobs(): Promise<ListedRow[]> {
    return this.ask(['oarstat', '--format', '2'], parseRows);
  }

  /** The given jobs without their ends. */
  async describeListed(numbers: readonly string[]): Promise<OarJob[]> {
    const jobs: OarJob[] = [];
    for (let first = 0; first < numbers.length; first += JOBS_PER_CALL) {
      const some = numbers.slice(first, first + JOBS_PER_CALL);
      jobs.push(...(await this.ask(['oarstat', '-J', '--sql', conditionOf({ numbers: some })], parseJobs)));
    }
    return jobs;
  }

  /** @param wokenAt the moment, at a site that wakes sleeping nodes for jobs; null elsewhere */
  listResources(wokenAt: EpochSeconds | null): Promise<OarResource[]> {
    return this.ask(['oarnodes', '-J'], (text) => parseResources(text, wokenAt));
  }

  /** Every resource that jobs can run on, with its properties. */
  describeResources(): Promise<ResourceProperties[]> {
    return this.ask(['oarnodes', '-J'], parseProperties);
  }

  /** Reservations that have been agreed to and are not over, in full, the first ones first. */
  listReservations(): Promise<OarJob[]> {
    return this.ask(['oarstat', '-J', '-f', '--sql', RESERVATIONS], parseJobs);
  }

  /** Those of the queues, named by plain letters and numbers, that are stopped: no job starts in them. */
  async stoppedQueues(names: readonly string[]): Promise<string[]> {
    const isAnyStopped = names.length > 0 && (await this.areStopped(names));
    if (!isAnyStopped) return [];
    const answers = names.map(async (name) => ((await this.areStopped([name])) ? [name] : []));
    return (await Promise.all(answers)).flat();
  }

  /** Whether any is. Only administrators may list queues, but every user may pick resources by a condition. */
  private areStopped(names: readonly string[]): Promise<boolean> {
    const list = names.map((name) => `'${name}'`).join(', ');
    const stopped = `SELECT 1 FROM queues WHERE queue_name IN (${list}) AND state = 'notActive'`;
    const condition = `resource_id = (SELECT MIN(resource_id) FROM resources) AND EXISTS (${stopped})`;
    return this.ask(['oarnodes', '-J', '--sql', condition], (text) => countResources(text) > 0);
  }

  /** Jobs whether they have ended or not, in full. */
  describeJobs(selection: JobSelection): Promise<OarJob[]> {
    return this.ask(['oarstat', '-J', '-f', '--sql', conditionOf(selection)], parseJobs);
  }

  /** Hands a job in and returns its number. */
  submit(submission: Submission): Promise<string> {
    return this.site.change('server', { argv: ['oarsub', ...submitOptions(submission)] }, (result) => {
      const number = /^OAR_JOB_ID=(\d+)$/m.exec(result.stdout)?.[1];
      if (result.exitCode === 0 && number !== undefined) return number;
      const words = wordsOf(result);
      // With its server away oarsub says that the job is killed, and it is not: it runs when the server is back.
      if (number !== undefined) throw new Unknown(`oarsub left job ${number} and failed: ${words}`, words);
      throw submissionFailure(words);
    });
  }

  /**
   * Asks for a job's deletion. With its server away oardel registers the wish and fails, and the server that comes back
   * does nothing about it until it is asked again.
   */
  remove(number: string): Promise<void> {
    return this.site.change('server', { argv: ['oardel', number] }, (result) => {
      const words = wordsOf(result);
      if (result.exitCode === 0 || result.exitCode === ASKED_AGAIN) return;
      if (/not the right user/.test(words)) throw new Rejected(`oardel was refused: ${words}`, words);
      throw new Unknown(`oardel did not reach the server: ${words}`, words);
    });
  }

  private ask<Answer>(argv: readonly [string, ...string[]], parse: (text: string) => Answer): Promise<Answer> {
    return this.site.ask('server', { argv: [...argv] }, (result) => {
      if (result.exitCode !== 0) throw new Unavailable(`${argv[0]} failed: ${wordsOf(result)}`, wordsOf(result));
      try {
        return parse(result.stdout);
      } catch (error) {
        const words = error instanceof Error ? error.message : String(error);
        throw new Unavailable(`${argv[0]} gave no readable answer: ${words}`, words, { cause: error, code: 'GARBLED' });
      }
    });
  }
}

/** So many take oarstat a second or two. */
export const JOBS_PER_CALL = 1000;

/** What oardel ends with after it has told its server of a job that was to be deleted before. */
const ASKED_AGAIN = 6;

/** So many windows are enough for anybody's plan. */
const MOST_RESERVATIONS = 1000;
const RESERVATIONS = `reservation = 'Scheduled' AND state NOT IN ('Terminated', 'Error') ORDER BY start_time LIMIT ${MOST_RESERVATIONS}`;

/** The words of `oarsub`; without `-S` it reads nothing into the command. */
function submitOptions(submission: Submission): string[] {
  const { jobName, command, resources, walltimeSeconds, queue, requests, workFolder } = submission;
  return [
    ...['-n', jobName, '-l', `${resources},walltime=${formatWalltime(walltimeSeconds)}`],
    ...(queue === null ? [] : ['-q', queue]),
    ...(workFolder === undefined ? [] : ['-d', workFolder]),
    ...requests,
    command,
  ];
}

/** When a job ended: `stop_time`, or for one that never started the last thing that happened to it. */
const ENDED_AT =
  'COALESCE(NULLIF(stop_time, 0), (SELECT MAX(date) FROM event_logs WHERE event_logs.job_id = jobs.job_id), submission_time)';

function conditionOf(selection: JobSelection): string {
  if ('name' in selection) return `job_name = '${selection.name}'`;
  if ('numbers' in selection) return `job_id IN (${selection.numbers.join(',')})`;
  const since = Math.max(0, Math.floor(selection.endedSince));
  return `state IN ('Terminated', 'Error') AND ${ENDED_AT} >= ${since} ORDER BY ${ENDED_AT} LIMIT ${selection.most}`;
}

/**
 * Words of a database that was lost in the middle: the job may be in it. The client may then try to connect anew, so
 * that its last words may be those of a server that was never reached.
 */
const WAS_CONNECTED =
  /server closed the connection|terminating connection|connection to server was lost|lost connection|could not receive|DBD::\w+::(?:db|st) .*failed|timeout|reset by peer/i;

/** What the words after a failed submission without a number mean. */
export function submissionFailure(words: string): SiteFailure {
  const down = unreachable(words);
  if (down) return down;
  if (WAS_CONNECTED.test(words)) return new Unknown(`oarsub lost its database: ${words}`, words);
  return new Rejected(`OAR refused the job: ${words}`, words);
}

/** The failure when the server was certainly not reached, null otherwise. */
function unreachable(words: string): Unavailable | null {
  const isDown = /connection refused|could not connect|cannot connect|DBI connect/i.test(words);
  return isDown && !WAS_CONNECTED.test(words) ? new Unavailable(`OAR cannot be reached: ${words}`, words) : null;
}

function wordsOf({ stdout, stderr, exitCode }: CommandResult): string {
  const lines = `${stderr}\n${stdout}`.split('\n').map((line) => line.trim());
  return lines.filter((line) => line !== '' && !NOISE.test(line)).join('; ') || `status ${exitCode}`;
}

/** What admission rules tell of every job, accepted or not. */
const NOISE = /^\[ADMISSION RULE\] (?:Modify|Set default|Automatically)|^OAR_JOB_ID=-/;

import type { EpochSeconds } from '../../src/domain/clock.ts';
import { Rejected, type SiteFailure, Unavailable, Unknown } from '../../src/domain/failures.ts';
import type { CommandResult } from '../shared/command.ts';
import type { CommandSite } from '../shared/command-site.ts';
import { type Account, parseAccount } from './access.ts';
import { endedJobs, logsCommand, parseRecords } from './accounting-logs.ts';
import { type Attributes, type Objects, parseJson, parseNodes, parseText } from './attributes.ts';
import type { Dialect } from './config.ts';
import { jobsOf, nodesOf, type PbsJob, type PbsNode } from './parse.ts';
import { parseReservations } from './reservations.ts';

/** What `qsub` is told. */
export interface Submission {
  readonly jobName: string;
  readonly script: string;
  /** Value of `-l` for the processors. */
  readonly resources: string;
  readonly walltimeSeconds: number;
  readonly queue: string | null;
  readonly workFolder: string | undefined;
  /** Words for what else it asks for, made of checked names and figures. */
  readonly requests: readonly string[];
}

/** Times are listed without a zone, in that of the command. */
const IN_UTC = { TZ: 'UTC' };
const JOBS_PER_CALL = 1000;

/**
 * A PBS server's commands, each with what it may answer. Every method throws what `CommandSite` does, and what its
 * answer means.
 */
export class PbsCommands {
  constructor(
    private readonly site: CommandSite,
    private readonly dialect: Dialect,
  ) {}

  /** Everybody's jobs that the server still has in its queues. */
  async listJobs(): Promise<PbsJob[]> {
    return jobsOf(await this.ask(['qstat', '-f', ...this.asJson()], (text) => this.read(text, 'Jobs')));
  }

  /** The given jobs, of OpenPBS also those it keeps in its history. Those it does not know are left out. */
  async describeJobs(ids: readonly string[]): Promise<PbsJob[]> {
    const jobs: PbsJob[] = [];
    for (let first = 0; first < ids.length; first += JOBS_PER_CALL) {
      const some = ids.slice(first, first + JOBS_PER_CALL);
      jobs.push(
        ...jobsOf(
          await this.ask(['qstat', '-f', ...this.withHistory(), ...this.asJson(), ...some], (text) =>
            this.read(text, 'Jobs'),
          ),
        ),
      );
    }
    return jobs;
  }

  /** Ids of the jobs of that name. */
  selectByName(name: string): Promise<string[]> {
    return this.ask(['qselect', ...this.withHistory(), '-N', name], idsOf);
  }

  /** Ids of the jobs in OpenPBS's history that changed since then. */
  selectFinished(since: EpochSeconds): Promise<string[]> {
    const [date, time] = new Date(Math.max(0, Math.floor(since)) * 1000).toISOString().split(/[T.]/) as [
      string,
      string,
    ];
    const moment = `${date.replaceAll('-', '')}${time.slice(0, 2)}${time.slice(3, 5)}.${time.slice(6, 8)}`;
    return this.ask(['qselect', '-x', '-s', 'F', '-tm.ge.', moment], idsOf);
  }

  async listNodes(): Promise<PbsNode[]> {
    const read = (text: string) => (this.dialect === 'openpbs' ? parseJson(text, 'nodes') : parseNodes(text));
    return nodesOf(await this.ask(['pbsnodes', '-a', ...this.asJson()], read));
  }

  listQueues(): Promise<Objects> {
    return this.ask(['qstat', '-Q', '-f', ...this.asJson()], (text) => this.read(text, 'Queue'));
  }

  /** What the server says of itself. */
  async describeServer(): Promise<Attributes> {
    const servers = await this.ask(['qstat', '-B', '-f', ...this.asJson()], (text) => this.read(text, 'Server'));
    const [server] = servers.values();
    return server ?? new Map();
  }

  /** Reservations of nodes, by their names. Torque has none. */
  async listReservations(): Promise<Objects> {
    return this.dialect === 'openpbs' ? this.ask(['pbs_rstat', '-f'], parseReservations) : new Map();
  }

  /** Whose jobs ours are. A group without a name is a failure to `id`, and none here. */
  describeAccount(): Promise<Account> {
    return this.site.ask('account', { argv: ['id'] }, (result) => understood(result, parseAccount));
  }

  /** Hands a job in and returns its id. */
  submit(submission: Submission): Promise<string> {
    const { script } = submission;
    return this.site.change('server', { argv: ['qsub', ...submitOptions(submission)], stdin: script }, (result) => {
      const words = wordsOf(result);
      if (result.exitCode !== 0) throw submissionFailure(words);
      const id = /^(\d+(?:\[\])?\.\S+)$/m.exec(result.stdout)?.[1];
      if (id === undefined) throw new Unknown(`qsub answered without a job id: ${words}`, words);
      return id;
    });
  }

  /** Asks for a job's deletion; one that has ended or is unknown is no error. */
  remove(id: string): Promise<void> {
    return this.site.change('server', { argv: ['qdel', id] }, (result) => {
      const words = wordsOf(result);
      if (result.exitCode === 0 || /Unknown Job Id|has finished|state of job/i.test(words)) return;
      if (/Unauthorized/i.test(words)) throw new Rejected(`qdel was refused: ${words}`, words);
      throw unreachable(words) ?? new Unknown(`qdel gave no clear answer: ${words}`, words);
    });
  }

  /** Jobs that ended according to the daily logs since that day. */
  readLogs(folder: string, timeZone: string, since: EpochSeconds): Promise<PbsJob[]> {
    return this.site.ask('accounting', logsCommand(folder, since), (result) => {
      if (result.exitCode !== 0)
        throw new Unavailable(`the accounting logs cannot be read: ${wordsOf(result)}`, wordsOf(result));
      return understood(result, (text) => endedJobs(parseRecords(text, timeZone)));
    });
  }

  private ask<Answer>(argv: readonly [string, ...string[]], parse: (text: string) => Answer): Promise<Answer> {
    return this.site.ask('server', { argv: [...argv], environment: IN_UTC }, (result) => {
      const unknownOnly = result.stderr.split('\n').every((line) => line.trim() === '' || UNKNOWN_JOB.test(line));
      if (result.exitCode === 0 || (unknownOnly && result.stderr.trim() !== '')) return understood(result, parse);
      throw new Unavailable(`${argv[0]} failed: ${wordsOf(result)}`, wordsOf(result));
    });
  }

  private read(text: string, member: string): Objects {
    return this.dialect === 'openpbs' ? parseJson(text, member) : parseText(text);
  }

  private asJson(): string[] {
    return this.dialect === 'openpbs' ? ['-F', 'json'] : [];
  }

  private withHistory(): string[] {
    return this.dialect === 'openpbs' ? ['-x'] : [];
  }
}

const UNKNOWN_JOB = /Unknown Job Id|Job has finished|Unknown queue destination/i;

/**
 * The words of `qsub`. `-C ''` keeps it from reading options out of the script, `-S /bin/sh` from guessing a shell: the
 * script is a wrapper that calls the interpreter itself.
 */
function submitOptions({ jobName, resources, walltimeSeconds, queue, workFolder, requests }: Submission): string[] {
  return [
    ...['-C', '', '-S', '/bin/sh', '-N', jobName, '-l', resources, '-l', `walltime=${walltimeSeconds}`],
    ...(queue === null ? [] : ['-q', queue]),
    ...(workFolder === undefined ? [] : ['-o', `${workFolder}/`, '-e', `${workFolder}/`]),
    ...requests,
  ];
}

/**
 * Words after which the job may have been accepted all the same, even beside those of a server that was never reached:
 * a client that has lost its server may try to connect anew.
 */
const REPLY_LOST = /End of File|Premature end|timed? ?out|communication failure|Connection reset|protocol/i;

/** What the words after a failed submission mean. */
export function submissionFailure(words: string): SiteFailure {
  const down = unreachable(words);
  if (down) return down;
  if (REPLY_LOST.test(words)) return new Unknown(`qsub lost its server: ${words}`, words);
  return new Rejected(`the server refused the job: ${words}`, words);
}

/** The failure when the server was certainly not reached, null otherwise. */
function unreachable(words: string): Unavailable | null {
  const isDown = /cannot connect to server|Connection refused|No route to host|could not connect/i.test(words);
  return isDown && !REPLY_LOST.test(words) ? new Unavailable(`the server cannot be reached: ${words}`, words) : null;
}

function understood<Answer>(result: CommandResult, parse: (text: string) => Answer): Answer {
  try {
    return parse(result.stdout);
  } catch (error) {
    const words = error instanceof Error ? error.message : String(error);
    throw new Unavailable(`the server gave no readable answer: ${words}`, words, { cause: error, code: 'GARBLED' });
  }
}

function idsOf(text: string): string[] {
  return text.split('\n').filter(Boolean);
}

function wordsOf({ stdout, stderr, exitCode }: CommandResult): string {
  const lines = `${stderr}\n${stdout}`.split('\n').map((line) => line.trim());
  return lines.filter(Boolean).join('; ') || `status ${exitCode}`;
}

import { Rejected, Unavailable, Unknown } from '../../src/domain/failures.ts';
import type { Command, CommandResult } from '../shared/command.ts';
import type { CommandSite } from '../shared/command-site.ts';
import { type AccountingEntry, parseAccounting } from './accounting.ts';
import { type AccountingSelection, accountingCommand, readAccountingPage } from './accounting-file.ts';
import { type Complex, type HostEquipment, parseComplexes, parseHostEquipment } from './complexes.ts';
import { isAboutTheWay, submissionFailure, unreachable, wordsOf } from './failures.ts';
import { type Hosts, type JobDetail, type ListedJob, parseDetails, parseHosts, parseListing } from './parse.ts';
import { type ParallelEnvironment, parseParallelEnvironment, parseQueues, type QueueConfiguration } from './queues.ts';
import { type AdvanceReservation, parseReservations } from './reservations.ts';

/** What `qsub` is told. None of it is text of a caller's but the script, the queue and the title. */
export interface Submission {
  readonly jobName: string;
  readonly title: string;
  readonly script: string;
  readonly walltimeSeconds: number;
  readonly processors: number;
  readonly parallelEnvironment: string | null;
  readonly queue: string | null;
  readonly workFolder: string | undefined;
  /** Words for what else it asks for, made of checked names and figures. */
  readonly requests?: readonly string[];
}

/** Times are listed without a zone, in that of the command. */
const IN_UTC = { TZ: 'UTC' };

/**
 * A cell's commands, each with what it may answer. Every method throws what `CommandSite` does, and what its answer
 * means.
 */
export class GridEngineCommands {
  constructor(private readonly site: CommandSite) {}

  /** Waiting and running jobs, of everybody or of the account that asks. */
  listJobs(whose: 'EVERYBODY' | 'OWN'): Promise<ListedJob[]> {
    const users = whose === 'EVERYBODY' ? ['-u', '*'] : [];
    return this.ask(['qstat', ...users, '-r', '-xml'], parseListing);
  }

  listHosts(): Promise<Hosts> {
    return this.ask(['qhost', '-q', '-F', 'slots', '-xml'], parseHosts);
  }

  /** Details of the jobs that are still in the queue, by their numbers. */
  async describeJobs(numbers: readonly string[]): Promise<ReadonlyMap<string, JobDetail>> {
    const details = new Map<string, JobDetail>();
    for (let first = 0; first < numbers.length; first += JOBS_PER_CALL) {
      const some = numbers.slice(first, first + JOBS_PER_CALL).join(',');
      for (const [id, detail] of await this.ask(['qstat', '-j', some, '-xml'], parseDetails)) details.set(id, detail);
    }
    return details;
  }

  listQueues(): Promise<QueueConfiguration[]> {
    return this.ask(['qconf', '-sq', '*'], parseQueues);
  }

  async listParallelEnvironments(): Promise<ParallelEnvironment[]> {
    const names = await this.ask(
      ['qconf', '-spl'],
      (text) => text.split('\n').filter(Boolean),
      /no parallel environment/,
    );
    return Promise.all(names.map((name) => this.ask(['qconf', '-sp', name], parseParallelEnvironment)));
  }

  /** Resources that jobs may ask for. */
  listComplexes(): Promise<Complex[]> {
    return this.ask(['qconf', '-sc'], parseComplexes);
  }

  /** What hosts have for jobs; the host `global` what all of them share. */
  describeHosts(names: readonly string[]): Promise<HostEquipment[]> {
    return Promise.all(names.map((name) => this.ask(['qconf', '-se', name], parseHostEquipment)));
  }

  /** Advance reservations with their slots, the first ones first. */
  async listReservations(): Promise<AdvanceReservation[]> {
    const summaries = await this.ask(['qrstat', '-u', '*', '-xml'], parseReservations);
    if (summaries.length === 0) return [];
    const first = summaries.toSorted((a, b) => a.startAt - b.startAt).slice(0, MOST_RESERVATIONS);
    return this.ask(['qrstat', '-ar', first.map(({ id }) => id).join(','), '-xml'], parseReservations);
  }

  /**
   * What the cell says against our jobs in a queue that is not for us; null when it says nothing of the kind. It is
   * asked to look at a job (`-w v`), which it is not given: it alone knows which groups and projects count for us.
   */
  refusalOf(queue: string): Promise<string | null> {
    const argv = ['qsub', '-w', 'v', '-b', 'y', '-C', '', '-l', 'h_rt=1', '-q', queue, '/bin/true'] as const;
    return this.site.ask('scheduler', { argv }, (result) => {
      const words = wordsOf(result);
      const refusal = result.exitCode === 0 ? null : NOT_FOR_US.exec(words);
      if (refusal !== null) return refusal[0].replace(/^Job \d+/, 'a job of ours');
      if (isAboutTheWay(words)) throw unavailable('qsub failed', result);
      return null;
    });
  }

  /** Hands a job in and returns its number. */
  submit(submission: Submission): Promise<string> {
    const command: Command = { argv: ['qsub', ...submitOptions(submission)], stdin: submission.script };
    return this.site.change('scheduler', command, (result) => {
      if (result.exitCode !== 0) throw submissionFailure(wordsOf(result));
      const number = /^(\d+)(?:\.\d|$)/m.exec(result.stdout)?.[1];
      if (number === undefined) throw new Unknown('qsub answered without a job number', wordsOf(result));
      return number;
    });
  }

  /**
   * Asks for a job's deletion. `WITHDRAWN` it had not begun and is gone for good, `ENDING` its end will come, `ABSENT`
   * there is no such job.
   */
  remove(number: string): Promise<'WITHDRAWN' | 'ENDING' | 'ABSENT'> {
    return this.site.change('scheduler', { argv: ['qdel', number] }, (result) => {
      const words = wordsOf(result);
      if (/does not exist/.test(words)) return 'ABSENT';
      if (/has deleted job/.test(words)) return 'WITHDRAWN';
      if (/registered the job|is already in deletion/.test(words)) return 'ENDING';
      if (/necessary privileges|denied/.test(words)) throw new Rejected(`qdel was refused: ${words}`, words);
      throw unreachable(words) ?? new Unknown(`qdel gave no clear answer: ${words}`, words);
    });
  }

  /**
   * Lines of the accounting file, which is read as a file: that works with the master down, and many jobs cost no more
   * than one.
   */
  readAccounting(selection: AccountingSelection): Promise<{ entries: AccountingEntry[]; isWhole: boolean }> {
    return this.site.ask('accounting', accountingCommand(selection), (result) => {
      if (result.exitCode !== 0) throw unavailable('the accounting file cannot be read', result);
      return understood(result, (text) => {
        const { lines, isWhole } = readAccountingPage(text);
        return { entries: parseAccounting(lines), isWhole };
      });
    });
  }

  private ask<Answer>(
    argv: readonly [string, ...string[]],
    parse: (text: string) => Answer,
    nothingThere: RegExp | null = null,
  ): Promise<Answer> {
    return this.site.ask('scheduler', { argv, environment: IN_UTC } as Command, (result) => {
      if (result.exitCode === 0) return understood(result, parse);
      if (nothingThere?.test(wordsOf(result))) return parse('');
      throw unavailable(`${argv[0]} failed`, result);
    });
  }
}

/** So many details are 2 MB. */
const JOBS_PER_CALL = 500;
/** So many windows are enough for anybody's plan. */
const MOST_RESERVATIONS = 1000;

/** Words about who may use a queue or the cell. */
const NOT_FOR_US =
  /Job \d+[^;]* (?:has no permission for|does not have the correct project|is not allowed)[^;]*|\S+ is not allowed to submit jobs/;

/**
 * The words of `qsub`. `-C ''` keeps it from reading options out of the script. `-S /usr/bin/env` starts the script as
 * a program, by its own first line, whatever shell the queue would choose. `-w e` has a job refused that no queue could
 * ever run. Arguments are not passed on its command line: the execution daemon keeps them in lines and would take a
 * line feed in one for the end of it.
 */
function submitOptions(submission: Submission): string[] {
  const {
    jobName,
    title,
    walltimeSeconds,
    processors,
    parallelEnvironment,
    queue,
    workFolder,
    requests = [],
  } = submission;
  return [
    ...['-terse', '-C', '', '-S', '/usr/bin/env', '-w', 'e'],
    ...['-N', jobName, '-ac', `gridcast_name=${encodeURIComponent(title)}`],
    ...['-l', `h_rt=${walltimeSeconds}`, '-v', `GRIDCAST_PROCESSORS=${processors}`],
    ...(parallelEnvironment === null ? [] : ['-pe', parallelEnvironment, String(processors)]),
    ...(queue === null ? [] : ['-q', queue]),
    ...(workFolder === undefined ? [] : ['-wd', workFolder]),
    ...requests,
  ];
}

function unavailable(what: string, result: CommandResult): Unavailable {
  const words = wordsOf(result) || `status ${result.exitCode}`;
  return new Unavailable(`${what}: ${words}`, words);
}

function understood<Answer>(result: CommandResult, parse: (text: string) => Answer): Answer {
  try {
    return parse(result.stdout);
  } catch (error) {
    const words = error instanceof Error ? error.message : String(error);
    throw new Unavailable(`the cell gave no readable answer: ${words}`, words, { cause: error, code: 'GARBLED' });
  }
}

import { randomBytes } from 'node:crypto';
import { Unknown } from '../../src/domain/failures.ts';
import type { Command, CommandResult } from '../shared/command.ts';
import type { CommandSite } from '../shared/command-site.ts';
import {
  asUnixTime,
  type EndedQuery,
  type SlurmAccounting,
  type SlurmCapacity,
  type SlurmController,
} from './client.ts';
import type { ResolvedSlurmConfig } from './config.ts';
import { isNobodysJob, questionFailure, submissionFailure, understood } from './failures.ts';
import type { SlurmAsk } from './job-asks.ts';
import { ACCOUNTING_FIELDS, parseAccounting } from './parse-accounting.ts';
import {
  markOtherGroups,
  NODES_FORMAT,
  parseLicences,
  parseNodes,
  parsePartitions,
  parseProcessors,
  parseReservations,
  parseSettings,
} from './parse-cluster.ts';
import { parseQueue, QUEUE_FIELDS } from './parse-listing.ts';
import {
  ENDED_STATES,
  type SlurmJob,
  type SlurmLicence,
  type SlurmPartition,
  type SlurmProcessors,
  type SlurmReservation,
  type SlurmSettings,
} from './slurm-job.ts';

/** Slurm's controller by its client commands, one per question however many jobs there are. */
export class SlurmCommands implements SlurmController {
  constructor(private readonly site: CommandSite) {}

  get clockSkewSeconds(): number {
    return this.site.clockSkewSeconds;
  }

  async partitions(): Promise<SlurmPartition[]> {
    const [everything, ours] = await Promise.all(
      [['--all'], []].map((which) => {
        return this.ask(['scontrol', 'show', 'partition', '--oneliner', ...which], (text) => {
          parsePartitions(text);
          return text;
        });
      }),
    );
    return markOtherGroups(everything ?? '', ours ?? '');
  }

  reservations(): Promise<SlurmReservation[]> {
    return this.ask(['scontrol', 'show', 'reservation', '--oneliner'], parseReservations);
  }

  processors(): Promise<SlurmProcessors> {
    return this.ask(['sinfo', '--all', '--noheader', '--noconvert', '--format=%C'], parseProcessors);
  }

  async capacity(): Promise<SlurmCapacity> {
    const argv = ['sinfo', '--all', '--noheader', '--exact', `--format=${NODES_FORMAT}`] as const;
    const [processors, nodes] = await Promise.all([this.processors(), this.ask(argv, parseNodes)]);
    return { processors, nodes };
  }

  settings(): Promise<SlurmSettings> {
    return this.ask(['scontrol', 'show', 'config'], parseSettings);
  }

  licences(): Promise<SlurmLicence[]> {
    return this.ask(['scontrol', 'show', 'licenses', '--oneliner'], parseLicences);
  }

  queue(): Promise<SlurmJob[]> {
    return this.list(['--all', `--states=${QUEUE_STATES}`]);
  }

  ownJobs(): Promise<SlurmJob[]> {
    return this.list(['--me', '--states=all']);
  }

  /** The job gets its owner's login environment at the site and nothing of ours. */
  submit(script: string, asks: readonly SlurmAsk[]): Promise<string> {
    const options = asks.map(({ option, value }) => (value === null ? `--${option}` : `--${option}=${value}`));
    const argv: Command['argv'] = ['sbatch', '--parsable', '--ignore-pbs', '--export=NONE', ...options];
    const command: Command = { argv, stdin: script };
    return this.site.change('scheduler', command, (result) => {
      if (result.exitCode !== 0) throw submissionFailure(wordsOf(result), REFUSAL.test(wordsOf(result)));
      const id = /^(\d+)(?:;.*)?$/m.exec(result.stdout)?.[1];
      if (id === undefined) throw new Unknown('sbatch answered without a job id', wordsOf(result) || 'not a word');
      return id;
    });
  }

  cancel(id: string, name: string | null): Promise<void> {
    const named = name === null ? [] : [`--jobname=${name}`];
    return this.site.change('scheduler', { argv: ['scancel', '--me', ...named, id] }, (result) => {
      if (result.exitCode === 0 || isNobodysJob(wordsOf(result))) return;
      throw questionFailure('scancel failed', wordsOf(result));
    });
  }

  begin(id: string, name: string): Promise<void> {
    const argv = ['scancel', '--me', '--batch', '--signal=URG', `--jobname=${name}`, id] as const;
    return this.site.change('scheduler', { argv }, (result) => {
      if (result.exitCode === 0 || isNobodysJob(wordsOf(result))) return;
      throw questionFailure('scancel --signal failed', wordsOf(result));
    });
  }

  close(): Promise<void> {
    return this.site.close();
  }

  private list(which: readonly string[]): Promise<SlurmJob[]> {
    const mark = drawMark();
    const format = QUEUE_FIELDS.map((field) => `${field}:${mark}`).join(',');
    const argv = ['squeue', '--noheader', '--noconvert', '--array', ...which, `--Format=${format}`] as const;
    return this.ask(argv, (text) => parseQueue(text, mark));
  }

  private ask<Answer>(argv: Command['argv'], read: (text: string) => Answer): Promise<Answer> {
    return this.site.ask('scheduler', { argv, environment: IN_EPOCH_SECONDS }, (result) => {
      if (result.exitCode !== 0) throw questionFailure(`${argv[0]} failed`, wordsOf(result));
      return understood(argv[0], () => read(result.stdout));
    });
  }
}

/** Slurm's accounting by sacct. */
export class Sacct implements SlurmAccounting {
  constructor(
    private readonly site: CommandSite,
    private readonly config: Pick<ResolvedSlurmConfig, 'usageSampleSeconds'>,
  ) {}

  async ended(query: EndedQuery): Promise<SlurmJob[]> {
    if (!('ids' in query)) return this.list(query, []);
    const parts = chunks(query.ids, IDS_PER_COMMAND);
    return (await Promise.all(parts.map((ids) => this.list(query, [`--jobs=${ids.join(',')}`])))).flat();
  }

  private list(query: EndedQuery, which: readonly string[]): Promise<SlurmJob[]> {
    const mark = drawMark();
    const argv = [
      ...['sacct', '--allusers', '--duplicates', '--noheader', '--noconvert'],
      ...('withSteps' in query && query.withSteps ? [] : ['--allocations']),
      ...['--parsable', `--delimiter=${mark}`, `--format=${ACCOUNTING_FIELDS.join(',')}`],
      // Without states jobs are left out that were never eligible, such as those cancelled while held.
      `--state=${ENDED_STATES.join(',')}`,
      `--starttime=${asUnixTime(query.since)}`,
      `--endtime=${'until' in query ? asUnixTime(query.until + 1) : 'now+60seconds'}`,
      ...('name' in query ? [`--name=${query.name}`] : []),
      ...which,
    ] as const;
    return this.site.ask('accounting', { argv, environment: IN_EPOCH_SECONDS }, (result) => {
      if (result.exitCode !== 0) throw questionFailure('sacct failed', wordsOf(result));
      return understood('sacct', () => parseAccounting(result.stdout, mark, this.config.usageSampleSeconds));
    });
  }
}

/** A fresh mark between fields, not to be guessed by whoever names a job. */
function drawMark(): string {
  return `~${randomBytes(6).toString('hex')}~`;
}

/** States of squeue in which a job waits or runs; without any it leaves some of them out. */
const QUEUE_STATES = [
  ...['PENDING', 'CONFIGURING', 'RUNNING', 'SUSPENDED', 'STOPPED', 'SIGNALING', 'RESIZING', 'STAGE_OUT', 'COMPLETING'],
  ...['REQUEUED', 'REQUEUE_FED', 'REQUEUE_HOLD', 'RESV_DEL_HOLD', 'SPECIAL_EXIT'],
].join(',');

/** How sbatch begins its verdict on a job. */
const REFUSAL = /^sbatch: (?:error|fatal|unrecognized option|invalid option|option)/m;
const IN_EPOCH_SECONDS = { SLURM_TIME_FORMAT: '%s' };
/** So many ids fit one word of a command line. */
const IDS_PER_COMMAND = 12_000;

export function wordsOf({ stdout, stderr }: CommandResult): string {
  return stderr.trim() || stdout.trim();
}

function chunks<Item>(items: readonly Item[], size: number): Item[][] {
  const count = Math.ceil(items.length / size);
  return Array.from({ length: count }, (_, index) => items.slice(index * size, (index + 1) * size));
}

import type { JobRequest } from '../../domain/job.ts';
import type { RandomStream } from '../random.ts';
import { type Application, pick } from './application.ts';

/** One run of an application as its script says it. */
export interface ScriptRun {
  readonly application: Application;
  readonly job: JobRequest;
  /** How long it runs by what it says. */
  readonly seconds: number;
  readonly steps: number;
  readonly grid: number;
  /** Steps between two outputs. */
  readonly interval: number;
  readonly deckBytes: number;
  readonly name: string;
  readonly title: string;
  readonly folder: string;
}

/** How a user writes scripts. */
export interface Writer {
  readonly account: string;
  readonly interpreter: string;
  readonly usesLongOptions: boolean;
  readonly asksForMail: boolean;
  /** Whether every run has a number of its own. */
  readonly isNumbering: boolean;
  readonly comment: string;
}

/** Draws how a user writes. */
export function writerOf(random: RandomStream, user: string): Writer {
  return {
    account: `u${user.toLowerCase().replace(/[^a-z0-9]/g, '') || 'nobody'}`,
    interpreter: pick(random, ['/bin/bash', '/bin/bash -l', '/bin/sh', '/usr/bin/env bash']),
    usesLongOptions: random.uniform() < 0.6,
    asksForMail: random.uniform() < 0.3,
    isNumbering: random.uniform() < 0.25,
    comment: pick(random, ['', '# production run', '# copied from the manual', '# do not change below', '#---------']),
  };
}

/** The script of a run. */
export function scriptOf(writer: Writer, run: ScriptRun, number: number): string {
  const { application, folder } = run;
  const lines = [
    `#!${writer.interpreter}`,
    ...directives(writer, run, number),
    ...(writer.comment ? [writer.comment] : []),
    'module purge',
    ...application.kind.modules.map((module) => `module load ${module}`),
    `cd ${folder}`,
    'export OMP_NUM_THREADS=1',
    ...bodyOf(run),
  ];
  return `${lines.join('\n')}\n`;
}

function directives(writer: Writer, { job, title }: ScriptRun, number: number): string[] {
  const name = writer.isNumbering ? `${title}.${number}` : title;
  const long = writer.usesLongOptions;
  const option = (word: string, letter: string, value: string) =>
    `#SBATCH ${long ? `--${word}=` : `-${letter} `}${value}`;
  return [
    option('job-name', 'J', name),
    option('ntasks', 'n', String(job.processors)),
    ...(job.requestedWalltimeSeconds === null ? [] : [option('time', 't', clockTime(job.requestedWalltimeSeconds))]),
    ...(job.queue === null ? [] : [option('partition', 'p', job.queue)]),
    option('output', 'o', `${name}.%j.out`),
    ...(writer.asksForMail
      ? ['#SBATCH --mail-type=END,FAIL', `#SBATCH --mail-user=${writer.account}@hpc.example`]
      : []),
  ];
}

function bodyOf({ application: { kind }, steps, grid, interval, name, title }: ScriptRun): string[] {
  const deck = `${name}.${kind.deckEnding}`;
  const told: [string, string | number][] = [
    [kind.deck, deck],
    [kind.steps, steps],
    [kind.grid, grid],
    [kind.interval, interval],
  ];
  if (kind.style === 'flags') {
    return [`${kind.command} ${told.map((pair) => pair.join(' ')).join(' ')}`, 'echo done'];
  }
  if (kind.style === 'environment') {
    return [...told.map((pair) => `export ${pair.join('=')}`), kind.command, `tar cf ${title}.tar results`];
  }
  const lines = told.map(([key, value]) => `  ${key} = ${typeof value === 'number' ? value : `'${value}'`},`);
  return ["cat > input.nml <<'END'", '&control', ...lines, '/', 'END', `${kind.command} < input.nml`];
}

/** `H:MM:SS`. */
function clockTime(seconds: number): string {
  const two = (value: number) => String(Math.floor(value)).padStart(2, '0');
  return `${two(seconds / 3600)}:${two((seconds / 60) % 60)}:${two(seconds % 60)}`;
}

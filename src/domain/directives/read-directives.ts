import { cut } from '../text.ts';
import type { Directive, DirectiveTable } from './directive.ts';
import { GRID_ENGINE } from './grid-engine.ts';
import { OAR } from './oar.ts';
import { type ReadOption, readOptions, readWholeLine } from './options.ts';
import { PBS } from './pbs.ts';
import { SLURM } from './slurm.ts';
import { wordsOf } from './words.ts';

const TABLES: readonly DirectiveTable[] = [SLURM, PBS, GRID_ENGINE, OAR];

/** So many options are read; one more entry says so where there are more. */
export const MOST_DIRECTIVES = 500;
/** A longer line is not read. */
const LONGEST_LINE = 4096;

/**
 * What the lines of a script say that begin as those for a batch system do: `#SBATCH`, `#PBS`, `#$`, `#OAR`. Each line
 * is in the answer, whatever it holds; those that its system would not read come with a warning.
 */
export function readDirectives(script: string): readonly Directive[] {
  const directives: Directive[] = [];
  const lines = [...directiveLines(script)];
  for (const [index, { table, line, text, isLate }] of lines.entries()) {
    const read = readLine(table, line, text, isLate);
    const room = MOST_DIRECTIVES - directives.length;
    directives.push(...read.slice(0, room));
    if (read.length > room) {
      const warning = `not all of it is read, nor the ${lines.length - index - 1} lines after it: at most ${MOST_DIRECTIVES} options are`;
      return [...directives, { ...blank(table, line, text), warning }];
    }
  }
  return directives;
}

interface DirectiveLine {
  readonly table: DirectiveTable;
  readonly line: number;
  readonly text: string;
  /** Whether a command stands before it. */
  readonly isLate: boolean;
}

function* directiveLines(script: string): Generator<DirectiveLine> {
  let isLate = false;
  let line = 0;
  for (const raw of linesOf(script)) {
    line++;
    const text = raw.endsWith('\r') ? raw.slice(0, -1) : raw;
    const table = text.startsWith('#') ? TABLES.find((one) => isFor(one, text)) : undefined;
    if (table !== undefined) yield { table, line, text, isLate };
    isLate ||= /^\s*[^#\s]/.test(text) && !(line === 1 && text.startsWith(':'));
  }
}

function* linesOf(script: string): Generator<string> {
  for (let from = 0; from < script.length; ) {
    const end = script.indexOf('\n', from);
    const to = end === -1 ? script.length : end;
    yield script.slice(from, to);
    from = to + 1;
  }
}

/** Of Grid Engine's two characters only where blanks or an option follow: `#$` begins other comments, too. */
function isFor({ prefix }: DirectiveTable, text: string): boolean {
  if (!text.startsWith(prefix)) return false;
  return prefix === '#$' ? /^#\$\s*-|^#\$\s+\S/.test(text) : /^(?:\s|-|$)/.test(text.slice(prefix.length));
}

function readLine(table: DirectiveTable, line: number, text: string, isLate: boolean): Directive[] {
  const { prefix, program, stopsAtCommand, system } = table;
  const alone = (warning: string) => [{ ...blank(table, line, text), warning }];
  if (isLate && stopsAtCommand) {
    return alone(`it stands after the first command, where ${program} reads none; move it up`);
  }
  if (text.length > LONGEST_LINE) {
    return alone(`the line has ${text.length} characters and is not read: at most ${LONGEST_LINE} are`);
  }
  const rest = text.slice(prefix.length).trim();
  const words = wordsOf(rest);
  if (words === null) return alone('a quote is not closed');
  if (rest === '' || words.length === 0) return alone('it holds no option');
  const options = table.oneOptionPerLine ? readWholeLine(table, rest) : readOptions(table, words);
  return options.flatMap(({ text: option, readings }: ReadOption) =>
    readings.map((reading) => ({ line, system, text: cut(`${prefix} ${option}`), ...reading })),
  );
}

function blank({ system }: DirectiveTable, line: number, text: string): Directive {
  return { line, system, text: cut(text), meaning: '', wish: null, warning: null };
}

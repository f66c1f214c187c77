import { cut, quoted } from '../text.ts';
import type { DirectiveTable, OptionEntry, OptionReading } from './directive.ts';

/** One option as it stands on a line, with what it means. */
export interface ReadOption {
  readonly text: string;
  readonly readings: readonly OptionReading[];
}

/** Reads the words of one line by the table of its system. */
export function readOptions(table: DirectiveTable, words: readonly string[]): ReadOption[] {
  const options: ReadOption[] = [];
  for (let at = 0; at < words.length; ) {
    const { text, readings, length } = readOption(table, words.slice(at, at + MOST_WORDS));
    options.push({ text: cut(text), readings });
    at += length;
  }
  return options;
}

/** An option, and the two words of its value. */
const MOST_WORDS = 3;

/** Of a system whose lines hold one option each: its name, then the rest of the line as it is. */
export function readWholeLine(table: DirectiveTable, line: string): ReadOption[] {
  const [, name = '', value = ''] = /^(--?[\w-]+)[\s=]*(.*)$/s.exec(line) ?? [];
  const [entry] = entriesFor(table, name);
  const text = cut(line);
  if (entry === undefined) return [{ text, readings: [unknown(table, line)] }];
  if (entry.takes === 'NOTHING') return [{ text, readings: entry.read('') }];
  return [{ text, readings: entry.read(value.trim().replace(/^"([^"]*)"$|^'([^']*)'$/s, '$1$2')) }];
}

function readOption(table: DirectiveTable, words: readonly string[]): ReadOption & { readonly length: number } {
  const [word = '', next, third] = words;
  const { entry, value } = split(table, word);
  if (entry === undefined) {
    const isWithValue = word.startsWith('-') && !word.includes('=') && next !== undefined && !next.startsWith('-');
    const text = isWithValue ? `${word} ${next}` : word;
    return { text, readings: [unknown(table, text)], length: isWithValue ? 2 : 1 };
  }
  if (entry.takes === 'NOTHING') return { text: word, readings: entry.read(''), length: 1 };
  if (value !== null || entry.takes === 'PERHAPS') {
    return { text: word, readings: entry.read(value ?? ''), length: 1 };
  }
  if (next === undefined) return { text: word, readings: [without(word)], length: 1 };
  if (entry.takes === 'TWO' && third !== undefined) {
    return { text: `${word} ${next} ${third}`, readings: entry.read(`${next} ${third}`), length: 3 };
  }
  return { text: `${word} ${next}`, readings: entry.read(next), length: 2 };
}

/** What a word names: `--name`, `--name=value`, `-n`, `-nvalue`, `-name`. */
function split(table: DirectiveTable, word: string): { entry: OptionEntry | undefined; value: string | null } {
  const [, long = '', value] = /^(--?[A-Za-z][\w-]*)(?:=([\s\S]*))?$/.exec(word) ?? [];
  const [entry, ...others] = entriesFor(table, long);
  if (entry !== undefined && others.length === 0) return { entry, value: value ?? null };
  const isShort = /^-[A-Za-z]./s.test(word);
  const short = isShort
    ? table.options.find(({ names, takes }) => takes !== 'NOTHING' && names.includes(word.slice(0, 2)))
    : undefined;
  return { entry: short, value: short === undefined ? null : word.slice(2) };
}

/** The option of that name; for long ones, as getopt(3) has it, of the only one that begins so. */
function entriesFor({ options, system }: DirectiveTable, name: string): readonly OptionEntry[] {
  const exact = options.find(({ names }) => names.includes(name));
  if (exact !== undefined) return [exact];
  if (system === 'GRID_ENGINE' || !/^--\w/.test(name)) return [];
  return options.filter(({ names }) => names.some((one) => one.startsWith(name)));
}

function unknown({ program }: DirectiveTable, text: string): OptionReading {
  const warning = text.startsWith('-')
    ? `Gridcast knows no such option of ${program}: ${quoted(text)}`
    : `${quoted(text)} is no option`;
  return { meaning: '', wish: null, warning };
}

function without(word: string): OptionReading {
  return { meaning: '', wish: null, warning: `${quoted(word)} has no value` };
}

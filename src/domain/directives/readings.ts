import { quoted } from '../text.ts';
import { type MemoryUnits, mebibytesOf, wholeOf } from './amounts.ts';
import type { DirectiveWishes, OptionEntry, OptionReading, Wish, WishName } from './directive.ts';

type Read = OptionEntry['read'];
/** Wishes whose values are of a type. */
type NamesOf<Type> = { [Name in WishName]: DirectiveWishes[Name] extends Type ? Name : never }[WishName];

/** An option that takes a value. `names` are parted by blanks. */
export function valued(names: string, read: Read): OptionEntry {
  return { names: names.split(' '), takes: 'VALUE', read };
}

/** An option that takes two words, which are one value with a blank between them. */
export function pair(names: string, read: Read): OptionEntry {
  return { names: names.split(' '), takes: 'TWO', read };
}

/** One that may have a value behind an equals sign. */
export function perhapsValued(names: string, read: Read): OptionEntry {
  return { names: names.split(' '), takes: 'PERHAPS', read };
}

/** One that takes none. */
export function flag(names: string, read: Read): OptionEntry {
  return { names: names.split(' '), takes: 'NOTHING', read };
}

/** What is asked for and can be honoured. */
export function asks<Name extends WishName>(of: Name, value: DirectiveWishes[Name], meaning: string): OptionReading {
  return { meaning, wish: { of, value } as Wish, warning: null };
}

/** What is understood and has no typed request; the remedy says what to do instead. */
export function cannot(meaning: string, remedy: string): OptionReading {
  return { meaning, wish: null, warning: remedy };
}

/** What changes nothing, since Gridcast does the same of itself. */
export function asEver(meaning: string): Read {
  return () => [{ meaning, wish: null, warning: null }];
}

/** Every option that is known and has no typed request, with what it is about. */
export function untyped(meaning: string, remedy = NO_REQUEST): Read {
  return (value) => [cannot(value === '' ? meaning : `${meaning}: ${quoted(value)}`, remedy)];
}

const NO_REQUEST = 'Gridcast has no request for that';

/** A number of something. */
export function count(of: NamesOf<number>, noun: string): Read {
  return (value) => {
    const number = wholeOf(value);
    if (number === null) return [cannot(noun, `${quoted(value)} is no whole number above 0`)];
    return [asks(of, number, `${number} ${noun}`)];
  };
}

/** A limit of its run time. */
export function walltime(secondsOf: (text: string) => number | null): Read {
  return (value) => {
    const seconds = secondsOf(value);
    if (seconds === null) return [cannot('walltime', `${quoted(value)} is no walltime`)];
    return [asks('walltimeSeconds', seconds, `a walltime of ${spoken(seconds)}`)];
  };
}

function spoken(seconds: number): string {
  const parts = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  return parts.flatMap((part, index) => (part === 0 ? [] : [`${part} ${'hms'.charAt(index)}`])).join(' ');
}

/** An amount of memory or disk space. */
export function amount(of: NamesOf<number>, noun: string, units: MemoryUnits): Read {
  return (value) => {
    const mebibytes = mebibytesOf(value, units);
    if (mebibytes === null) return [cannot(noun, `${quoted(value)} is no amount above 0`)];
    return [asks(of, mebibytes, `${mebibytes} MiB of ${noun}`)];
  };
}

/** A name at the site, of which there is one. */
export function named(of: NamesOf<string>, noun: string): Read {
  return (value) => {
    if (value === '') return [cannot(noun, 'no value is given')];
    if (value.includes(',')) return [cannot(`${noun} ${quoted(value)}`, 'Gridcast takes one name, not a list')];
    return [asks(of, value, `${noun} ${quoted(value)}`)];
  };
}

/** Any text. */
export function told(of: NamesOf<string>, noun: string): Read {
  return (value) =>
    value === '' ? [cannot(noun, 'no value is given')] : [asks(of, value, `${noun} ${quoted(value)}`)];
}

/** Variables between commas; those without a value are of a shell that Gridcast does not see. */
export function variables(value: string): OptionReading[] {
  const entries = value.split(/,(?=\s*[A-Za-z_]\w*(?:=|,|\s*$))/).map((entry) => entry.trim());
  const set = entries.flatMap((entry) => {
    const [, name, text] = /^([A-Za-z_]\w*)=([\s\S]*)$/.exec(entry) ?? [];
    return name === undefined ? [] : [[name, text ?? ''] as const];
  });
  const others = entries.filter((entry) => entry !== '' && !entry.includes('='));
  const names = set.map(([name]) => name).join(', ');
  return [
    ...(set.length === 0 ? [] : [asks('environment', Object.fromEntries(set), `variables ${quoted(names)}`)]),
    ...(others.length === 0
      ? []
      : [
          cannot(
            `variables ${quoted(others.join(', '))} as they are where it is submitted`,
            'Gridcast does not know them: state their values',
          ),
        ]),
  ];
}

/** Addresses of mails, of which Gridcast takes one. */
export const mailAddress: Read = named('mailAddress', 'mails to');

/** When mails are written, by letters or words of the system. */
export function mailEvents(known: Readonly<Record<string, DirectiveWishes['mailEvents']>>, parts: RegExp): Read {
  return (value) => {
    const words = value.split(parts).filter(Boolean);
    const odd = words.filter((word) => !Object.hasOwn(known, word.toUpperCase()));
    const events = [...new Set(words.flatMap((word) => known[word.toUpperCase()] ?? []))];
    if (events.length === 0 && odd.length === 0) return asEver('no mails')(value);
    const meaning = `mails at ${events.join(', ').toLowerCase()}`;
    return [
      ...(events.length === 0 ? [] : [asks('mailEvents', events, meaning)]),
      ...(odd.length === 0 ? [] : [cannot('mails', `Gridcast has no mails at ${quoted(odd.join(', '))}`)]),
    ];
  };
}

/** What is said of things that Gridcast does in a way of its own. */
export const REMEDIES = {
  output: 'every job has output files of its own in Gridcast',
  array: 'an array is asked of Gridcast, not of a site',
  after: 'state it with after or startAfter, by ids of Gridcast',
  when: 'Gridcast chooses when a job is submitted',
  where: 'Gridcast and the site choose its nodes',
  shell: 'a script is run by what its first line names',
  hold: 'Gridcast does not hold a job back for its owner',
} as const;

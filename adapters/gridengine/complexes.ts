import { parseBytes } from '../shared/amounts.ts';
import { attributesOf, unfold } from './attributes.ts';

/** A resource that jobs may ask for, as `qconf -sc` shows it. */
export interface Complex {
  readonly name: string;
  readonly type: string;
  /** `YES` it is counted out for each slot of a job, `JOB` once for the whole job, `NO` it is not counted out. */
  readonly consumable: 'YES' | 'JOB' | 'NO';
}

/** What an execution host has, as `qconf -se` shows it; of the host `global` what all of them share. */
export interface HostEquipment {
  readonly host: string;
  /** Configured values of complexes by their names. */
  readonly values: ReadonlyMap<string, string>;
  readonly memoryMebibytes: number | null;
}

/** Reads `qconf -sc`: lines of name, shortcut, type, relation, requestable, consumable, default, urgency. */
export function parseComplexes(text: string): Complex[] {
  const lines = text.split('\n').filter((line) => line.trim() !== '' && !line.startsWith('#'));
  return lines.map((line) => {
    const [name = '', , type = '', , , consumable = ''] = line.trim().split(/\s+/);
    if (type === '' || consumable === '') throw new Error('a line of the complexes is no complex');
    return { name, type, consumable: consumable === 'YES' || consumable === 'JOB' ? consumable : 'NO' };
  });
}

/** Reads `qconf -se <host>`. @throws Error when it is no host */
export function parseHostEquipment(text: string): HostEquipment {
  const attributes = attributesOf(unfold(text));
  const host = attributes.get('hostname');
  if (host === undefined) throw new Error('the answer is no execution host');
  const bytes = parseBytes(valuesOf(attributes.get('load_values')).get('mem_total'));
  return {
    host,
    values: valuesOf(attributes.get('complex_values')),
    memoryMebibytes: bytes === null ? null : mebibytes(bytes),
  };
}

/** Mebibytes of an amount as cells write it; null where it is none. */
export function mebibytesOf(amount: string | undefined): number | null {
  const bytes = parseBytes(amount);
  return bytes === null ? null : mebibytes(bytes);
}

function mebibytes(bytes: number): number {
  return Math.floor(bytes / 2 ** 20);
}

function valuesOf(list = ''): Map<string, string> {
  const pairs = list.split(',').map((pair) => /^\s*([^=\s]+)=(.*?)\s*$/.exec(pair));
  return new Map(pairs.flatMap((pair) => (pair ? [[pair[1] as string, pair[2] as string]] : [])));
}

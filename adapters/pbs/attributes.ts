import { z } from 'zod';

/**
 * What PBS says of one job, queue, node or server: values by their names, `Resource_List.walltime` and the like in one
 * word.
 */
export type Attributes = ReadonlyMap<string, string>;
/** Of several, by their names. */
export type Objects = ReadonlyMap<string, Attributes>;

/** Whether an attribute is true, which the servers print as `True`. */
export function isTrue(of: Attributes, name: string): boolean {
  return /^true$/i.test(of.get(name) ?? '');
}

const document = z.record(z.string(), z.unknown());

/**
 * Reads the JSON of OpenPBS (`-F json`): of the objects under `Jobs`, `Queue`, `Server` or `nodes` each value as text.
 * No such member is an empty answer.
 * @throws Error when it is no JSON object
 */
export function parseJson(text: string, member: string): Objects {
  const objects = document.catch({}).parse(document.parse(JSON.parse(repaired(text)))[member]);
  return new Map(Object.entries(objects).map(([name, value]) => [name, new Map(flatten('', value))]));
}

/** OpenPBS up to 19 leaves line feeds and tabs in strings as they are, which JSON does not allow. */
function repaired(text: string): string {
  return text.replace(/"(?:[^"\\]|\\.)*"/gs, (word) => word.replaceAll('\n', '\\n').replaceAll('\t', '\\t'));
}

function* flatten(prefix: string, value: unknown): Generator<[string, string]> {
  if (typeof value !== 'object' || value === null) {
    yield [prefix, String(value ?? '')];
    return;
  }
  for (const [name, inner] of Object.entries(value)) yield* flatten(prefix === '' ? name : `${prefix}.${name}`, inner);
}

/**
 * Reads the text of `qstat -f`, `qstat -Qf` or `qstat -Bf`: a line `Job Id: name`, then `    name = value`, long values
 * folded onto lines that begin with a tab.
 */
export function parseText(text: string): Objects {
  const objects = new Map<string, Map<string, string>>();
  let current: Map<string, string> | null = null;
  for (const line of text.replace(/\r?\n\t/g, '').split('\n')) {
    const [, name] = /^(?:Job Id|Queue|Server):\s*(.+?)\s*$/.exec(line) ?? [];
    if (name !== undefined) {
      current = new Map();
      objects.set(name, current);
    }
    const [, attribute, value] = /^\s+([\w.]+) = (.*)$/.exec(line) ?? [];
    if (attribute !== undefined) current?.set(attribute, value ?? '');
  }
  return objects;
}

/** Reads the text of `pbsnodes -a`: the node's name alone on a line, then `     name = value`. */
export function parseNodes(text: string): Objects {
  const objects = new Map<string, Map<string, string>>();
  let current: Map<string, string> | null = null;
  for (const line of text.split('\n')) {
    const [, attribute, value] = /^\s+([\w.]+) = (.*)$/.exec(line) ?? [];
    if (attribute !== undefined) current?.set(attribute, value ?? '');
    else if (/^\S/.test(line)) {
      current = new Map();
      objects.set(line.trim(), current);
    }
  }
  return objects;
}

/**
 * Reads what follows the third semicolon of an accounting record: `name=value` words, a value with blanks between
 * double quotes.
 */
export function parseWords(text: string): Attributes {
  const words = text.matchAll(/([\w.]+)=("(?:[^"\\]|\\.)*"|\S*)/g);
  return new Map(Array.from(words, ([, name = '', value = '']) => [name, value.replace(/^"(.*)"$/s, '$1')]));
}

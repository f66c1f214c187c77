/** What one part of what was learned takes in memory. */
export interface PartOfMemory {
  /** Field by field from the beginning; the elements of lists and maps go under that of their list. */
  readonly path: string;
  /** Of objects, lists, maps and texts, as Node.js lays them out; estimated. */
  readonly objectBytes: number;
  /** Of typed arrays, what they hold. */
  readonly arrayBytes: number;
  readonly objects: number;
}

/**
 * What an object and everything that can be reached from it takes in memory, by fields; what is reached over several
 * goes under the first.
 * @param depth how many fields are told apart, one below the other
 * @param nameOf an element of a list, in place of nothing
 * @returns the largest first
 */
export function compositionOf(
  root: object,
  depth: number,
  nameOf: (element: object) => string | null = () => null,
): PartOfMemory[] {
  const parts = new Map<string, Count>();
  const known = new Set<unknown>();
  const waiting: Reached[] = [{ value: root, path: [] }];
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const { value, path } = next;
    if ((typeof value !== 'object' && typeof value !== 'string') || value === null || known.has(value)) continue;
    known.add(value);
    const name = path.slice(0, depth).join('.');
    const part = parts.get(name) ?? { objectBytes: 0, arrayBytes: 0, objects: 0 };
    parts.set(name, part);
    part.objects++;
    if (value instanceof ArrayBuffer) part.arrayBytes += value.byteLength;
    part.objectBytes += bytesOf(value);
    for (const inner of reachedFrom(value, path, nameOf).reverse()) waiting.push(inner);
  }
  return Array.from(parts, ([path, part]) => ({ path, ...part })).sort((a, b) => sizeOf(b) - sizeOf(a));
}

interface Reached {
  readonly value: unknown;
  readonly path: readonly string[];
}

type Count = { -readonly [Name in keyof Omit<PartOfMemory, 'path'>]: PartOfMemory[Name] };

function sizeOf({ objectBytes, arrayBytes }: Count): number {
  return objectBytes + arrayBytes;
}

function reachedFrom(value: object | string, path: readonly string[], nameOf: (one: object) => string | null) {
  const reached: Reached[] = [];
  const reachElement = (element: unknown) => {
    const name = typeof element === 'object' && element !== null ? nameOf(element) : null;
    reached.push({ value: element, path: name === null ? path : [...path, name] });
  };
  if (typeof value === 'string' || value instanceof ArrayBuffer) return reached;
  if (ArrayBuffer.isView(value)) reached.push({ value: value.buffer, path });
  else if (value instanceof Map) for (const [key, one] of value) [key, one].forEach(reachElement);
  else if (value instanceof Set || Array.isArray(value)) value.forEach(reachElement);
  else for (const [field, one] of Object.entries(value)) reached.push({ value: one, path: [...path, field] });
  return reached;
}

/** As laid out by V8 on 64 bits without compressed pointers; what typed arrays hold is not in it. */
function bytesOf(value: object | string): number {
  if (typeof value === 'string') return STRING_BYTES + WORD * Math.ceil(value.length / WORD);
  if (value instanceof ArrayBuffer) return BUFFER_BYTES;
  if (ArrayBuffer.isView(value)) return VIEW_BYTES;
  if (Array.isArray(value)) return ARRAY_BYTES + value.reduce((sum, one) => sum + WORD + boxBytes(one, true), 0);
  if (value instanceof Map) return MAP_BYTES + (3 + 1 / 2) * WORD * roomFor(value.size) + boxesOf(value.values());
  if (value instanceof Set) return MAP_BYTES + (2 + 1 / 2) * WORD * roomFor(value.size);
  const fields = Object.values(value);
  return HEADER_BYTES + WORD * fields.length + boxesOf(fields);
}

function boxesOf(values: Iterable<unknown>): number {
  let bytes = 0;
  for (const value of values) bytes += boxBytes(value, false);
  return bytes;
}

/** A number that is no small whole one is an object of its own, but in a list of numbers. */
function boxBytes(value: unknown, inList: boolean): number {
  return typeof value === 'number' && !inList && (value | 0) !== value ? NUMBER_BYTES : 0;
}

/** Tables double when they are full, from four entries on. */
function roomFor(entries: number): number {
  return 2 ** Math.ceil(Math.log2(Math.max(4, entries)));
}

const WORD = 8;
const HEADER_BYTES = 24;
const NUMBER_BYTES = 16;
const STRING_BYTES = 16;
const ARRAY_BYTES = 48;
const MAP_BYTES = 72;
/** A typed array, and what it is a view of with what the runtime keeps of that. */
const VIEW_BYTES = 104;
const BUFFER_BYTES = 160;

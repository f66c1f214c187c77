/** More nodes than the largest machines have: what says it has more is not believed. */
const MOST_NODES = 100_000;

/**
 * The names in one of Slurm's lists: `n[1-3,7]`, `rack[0-1]n[01-04],login`. Leading zeros stay.
 * @throws RangeError when it cannot be read, or has more than 100,000 names
 */
export function expandHostlist(text: string): string[] {
  const parts = text === '' || text === '(null)' ? [] : text.split(/,(?![^[]*\])/);
  const names: string[] = [];
  for (const part of parts) {
    for (const name of expandPart(part)) names.push(name);
    if (names.length > MOST_NODES) throw unreadable(text);
  }
  return names;
}

function expandPart(part: string): string[] {
  const [, before = '', ranges, after = ''] = /^([^[\]]*)\[([^[\]]*)\](.*)$/.exec(part) ?? [];
  if (ranges === undefined) {
    if (part === '' || /[[\]]/.test(part)) throw unreadable(part);
    return [part];
  }
  const rest = after === '' ? [''] : expandPart(after);
  const numbers = ranges.split(',').flatMap((range) => expandRange(range, part));
  if (numbers.length * rest.length > MOST_NODES) throw unreadable(part);
  return numbers.flatMap((number) => rest.map((end) => before + number + end));
}

function expandRange(range: string, part: string): string[] {
  const [, first, last = first] = /^(\d+)(?:-(\d+))?$/.exec(range) ?? [];
  if (first === undefined || last === undefined) throw unreadable(part);
  const count = Number(last) - Number(first) + 1;
  if (!(count >= 1 && count <= MOST_NODES)) throw unreadable(part);
  return Array.from({ length: count }, (_, index) => String(Number(first) + index).padStart(first.length, '0'));
}

function unreadable(text: string): RangeError {
  return new RangeError(`a list of nodes cannot be read: ${text.slice(0, 100)}`);
}

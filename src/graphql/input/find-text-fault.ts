import { CallerError } from '../../domain/failures.ts';
import { fieldName } from '../../domain/field-name.ts';

/**
 * The first text of some arguments that no database and no batch system takes: with a NUL character, or half of a
 * surrogate pair. Null when there is none.
 * @param path where the value sits in the caller's input; null for the arguments themselves
 */
export function findTextFault(value: unknown, path: string | null = null): CallerError | null {
  if (typeof value === 'string') return textFault(value, path);
  if (Array.isArray(value)) return firstFault(value.entries(), (index) => `${path ?? ''}[${index}]`);
  if (typeof value !== 'object' || value === null) return null;
  return firstFault(Object.entries(value), (name) => (path === null ? String(name) : `${path}.${name}`), path);
}

function firstFault(
  entries: Iterable<readonly [string | number, unknown]>,
  pathOf: (name: string | number) => string,
  path: string | null = null,
): CallerError | null {
  for (const [name, item] of entries) {
    const fault = (typeof name === 'string' ? textFault(name, path) : null) ?? findTextFault(item, pathOf(name));
    if (fault) return fault;
  }
  return null;
}

function textFault(text: string, path: string | null): CallerError | null {
  const what = path === null ? 'a name' : fieldName(path);
  if (text.includes('\0')) {
    return new CallerError('INVALID', path, `${what} contains a NUL character; take it out, it must be text`);
  }
  if (/\p{Surrogate}/u.test(text)) {
    return new CallerError('INVALID', path, `${what} contains half a character (a lone surrogate); take it out`);
  }
  return null;
}

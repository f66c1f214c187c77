import colors from './colors.ts';

/** Facts, one a line; those that are not known are left out. */
export function facets(facts: readonly (readonly [string, string | null | undefined])[]): string {
  const known = facts.filter(([, value]) => value !== null && value !== undefined && value !== '');
  const width = Math.max(...known.map(([name]) => name.length));
  return known.map(([name, value]) => `${colors.dim(name.padEnd(width))}  ${value}`).join('\n');
}

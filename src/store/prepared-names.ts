/**
 * Names for the statements of one pool that come again and again, by which every connection has PostgreSQL parse and
 * plan each of them once. An empty name is no name. Texts that differ by the length of a list are endless, so only as
 * many get one as are worth their memory in every connection.
 */
export function preparedNames(): (statement: { readonly sql: string }) => string {
  const seen = new Map<string, number>();
  const names = new Map<string, string>();
  return ({ sql }) => {
    const known = names.get(sql);
    if (known !== undefined) return known;
    if (names.size >= MOST_NAMES) return '';
    const times = (seen.get(sql) ?? 0) + 1;
    if (seen.size >= MOST_SEEN) seen.clear();
    seen.set(sql, times);
    if (times < TIMES_UNTIL_NAMED) return '';
    seen.delete(sql);
    const name = `gridcast_${names.size}`;
    names.set(sql, name);
    return name;
  };
}

const MOST_NAMES = 200;
const MOST_SEEN = 1000;
const TIMES_UNTIL_NAMED = 5;

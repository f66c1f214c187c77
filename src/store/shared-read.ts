import type { Db } from './database.ts';
import { gathered } from './gathered.ts';

/**
 * A read that those share who ask for the same at a time, so that a hundred who ask cost a few statements. Nobody is
 * given what was read before it asked, see `gathered`. What comes out is everybody's, so nobody may change it.
 * @param keyOf what is asked for, in a word
 * @param read is told of what the last of them asked
 */
export function sharedRead<Args extends readonly unknown[], Value>(
  keyOf: (...args: Args) => string,
  read: (db: Db, ...args: Args) => Promise<Value>,
): (db: Db, ...args: Args) => Promise<Value> {
  const share = gathered(
    (args: Args) => keyOf(...args),
    async (db, all): Promise<Value[]> => {
      const last = all.at(-1);
      if (last === undefined) return [];
      const value = await read(db, ...last);
      return all.map(() => value);
    },
    { most: Number.POSITIVE_INFINITY },
  );
  return (db, ...args) => share(db, args);
}

import type { Db } from './database.ts';

interface Reading<Value> {
  readonly running: Promise<Value>;
  /** Begins when that one has ended. */
  next: Promise<Value> | null;
}

/**
 * A read that those share who ask for the same at a time, so that a hundred who ask cost a few statements. Nobody is
 * given what was read before it asked: who comes while it is being read waits for the next one. What comes out is
 * everybody's, so nobody may change it.
 * @param keyOf what is asked for, in a word
 */
export function sharedRead<Args extends readonly unknown[], Value>(
  keyOf: (...args: Args) => string,
  read: (db: Db, ...args: Args) => Promise<Value>,
): (db: Db, ...args: Args) => Promise<Value> {
  const all = new WeakMap<Db, Map<string, Reading<Value>>>();

  function begin(readings: Map<string, Reading<Value>>, key: string, db: Db, args: Args): Promise<Value> {
    const reading: Reading<Value> = { running: read(db, ...args), next: null };
    readings.set(key, reading);
    const end = () => {
      if (reading.next === null) readings.delete(key);
    };
    reading.running.then(end, end);
    return reading.running;
  }

  return (db, ...args) => {
    const readings = all.get(db) ?? new Map<string, Reading<Value>>();
    all.set(db, readings);
    const key = keyOf(...args);
    const reading = readings.get(key);
    if (!reading) return begin(readings, key, db, args);
    const again = () => begin(readings, key, db, args);
    reading.next ??= reading.running.then(again, again);
    return reading.next;
  };
}

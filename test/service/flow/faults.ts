import { Unavailable, Unknown } from '../../../src/domain/failures.ts';
import type { SiteAdapter } from '../../../src/domain/site-adapter.ts';
import type { RandomStream } from '../../../src/sim/random.ts';
import type { Database, Db } from '../../../src/store/database.ts';
import { sharedTransactions } from '../../../src/store/shared-transactions.ts';

/** The moments around a submission at which a worker may die. */
export const CRASH_POINTS = [
  'before the intent is written',
  'after the intent is written',
  'before the adapter submits',
  'after the adapter has submitted',
  'before the id is recorded',
  'after the id is recorded',
  'before a commit',
  'after a commit',
] as const;
export type CrashPoint = (typeof CRASH_POINTS)[number];

/** Called when a worker gets to a point; throwing there is its death. */
export type Reach = (point: CrashPoint) => Promise<void>;

/** A worker died. */
export class Crash extends Error {}

/** The database as a worker sees it that may die around its writes. */
export function withCrashes(database: Database, reach: Reach): Database {
  const transaction: Database['transaction'] = async (work, timeout) => {
    const result = await database.transaction(async (tx) => {
      const done = await work(watched(tx, reach));
      await reach('before a commit');
      return done;
    }, timeout);
    await reach('after a commit');
    return result;
  };
  return { ...database, transaction, sharedTransaction: sharedTransactions(database.db, transaction) };
}

/** The transaction with crash points around the writes of submissions. */
function watched(tx: Db, reach: Reach): Db {
  const submission = new Proxy(tx.submission, {
    get(model, method) {
      if (method !== 'createMany') return Reflect.get(model, method);
      return around(reach, 'before the intent is written', 'after the intent is written', (args: never) =>
        model.createMany(args),
      );
    },
  });
  const execute = (text: TemplateStringsArray, ...values: unknown[]) => tx.$executeRaw(text, ...values);
  const record = around(reach, 'before the id is recorded', 'after the id is recorded', execute);
  const executed = (text: TemplateStringsArray, ...values: unknown[]) =>
    (text.join('').includes('UPDATE "Submission"') ? record : execute)(text, ...values);
  const watching: Readonly<Record<string | symbol, unknown>> = { submission, $executeRaw: executed };
  return new Proxy(tx, { get: (target, name) => watching[name] ?? Reflect.get(target, name) });
}

function around<Args extends unknown[]>(
  reach: Reach,
  before: CrashPoint,
  after: CrashPoint,
  write: (...args: Args) => Promise<unknown>,
) {
  return async (...args: Args) => {
    await reach(before);
    const row = await write(...args);
    await reach(after);
    return row;
  };
}

/** An adapter with crash points around its submission. */
export function submitWithCrashes(adapter: SiteAdapter, reach: Reach): SiteAdapter {
  return {
    ...adapter,
    async submit(spec, key) {
      await reach('before the adapter submits');
      const accepted = await adapter.submit(spec, key);
      await reach('after the adapter has submitted');
      return accepted;
    },
  };
}

/** How often a site misbehaves, and how often it has. */
export interface SiteFaults {
  /** Share of submissions and cancellations that are carried out and then time out. */
  readonly timeouts: number;
  /** Share of all calls that are turned away. */
  readonly outages: number;
  count: number;
}

/** An adapter like one over sbatch on a busy controller: it accepts and then times out, or turns callers away. */
export function withSiteFaults(adapter: SiteAdapter, faults: SiteFaults, random: RandomStream): SiteAdapter {
  const mayBeAway = () => {
    if (random.uniform() >= faults.outages) return;
    faults.count++;
    throw new Unavailable('Unable to contact the controller');
  };
  const mayTimeOut = () => {
    if (random.uniform() >= faults.timeouts) return;
    faults.count++;
    throw new Unknown('Batch job submission timed out');
  };
  return {
    ...adapter,
    async snapshot() {
      mayBeAway();
      return adapter.snapshot();
    },
    async find(key, intendedAt) {
      mayBeAway();
      return adapter.find(key, intendedAt);
    },
    async submit(spec, key) {
      mayBeAway();
      const accepted = await adapter.submit(spec, key);
      mayTimeOut();
      return accepted;
    },
    async cancel(job) {
      mayBeAway();
      await adapter.cancel(job);
      mayTimeOut();
    },
    async begin(job) {
      mayBeAway();
      await adapter.begin?.(job);
      mayTimeOut();
    },
  };
}

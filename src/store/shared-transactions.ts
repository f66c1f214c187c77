import type { Db } from './database.ts';
import { ANY, gathered, PACE_MILLISECONDS } from './gathered.ts';

/** What is done in a transaction. */
type Work<T> = (tx: Db) => Promise<T>;
type Transact = <T>(work: Work<T>) => Promise<T>;
type Ended = PromiseSettledResult<unknown>;

/** A work of a shared transaction failed, so that none of it was committed. */
class NothingCommitted extends Error {}

/**
 * Lets those who write at a time share a transaction: who comes while others commit is in the next one, together with
 * all who have come meanwhile, so that a hundred who write wait for the disk a few times. What their works do with
 * `gathered` is sent for all of them at once. When a work fails nothing of any of them remains, and each is done again
 * in a transaction of its own: so a work may be done twice, and must change nothing but what it writes. What may have
 * been committed is not done again.
 * @param db stands for the database
 * @param transact does a work in a transaction of its own
 * @returns what does a work; its end means that the work is committed
 */
export function sharedTransactions(db: Db, transact: Transact): Transact {
  const together = (_db: Db, works: readonly Work<unknown>[]) => commitTogether(transact, works);
  const share = gathered(ANY, together, { paceMilliseconds: PACE_MILLISECONDS });
  return async <T>(work: Work<T>) => {
    const ended = await share(db, work);
    if (ended.status === 'rejected') throw ended.reason;
    return ended.value as T;
  };
}

async function commitTogether(transact: Transact, works: readonly Work<unknown>[]): Promise<Ended[]> {
  if (works.length === 1) return eachAlone(transact, works);
  try {
    const values = await transact((tx) => doAll(works, tx));
    return values.map((value) => ({ status: 'fulfilled', value }));
  } catch (error) {
    if (error instanceof NothingCommitted) return eachAlone(transact, works);
    throw error;
  }
}

async function eachAlone(transact: Transact, works: readonly Work<unknown>[]): Promise<Ended[]> {
  const all: Ended[] = [];
  for (const work of works) all.push(...(await Promise.allSettled([transact(work)])));
  return all;
}

/** @throws NothingCommitted when one of them fails, after all have come to an end */
async function doAll(works: readonly Work<unknown>[], tx: Db): Promise<unknown[]> {
  const ended = await Promise.allSettled(works.map((work) => work(tx)));
  return ended.map((one) => {
    if (one.status === 'rejected') throw new NothingCommitted();
    return one.value;
  });
}

import { once } from 'node:events';
import { afterEach, expect, test } from 'vitest';
import { reserve } from '../../../src/commands/reserve.ts';
import { submitJob } from '../../../src/commands/submit-job.ts';
import { SHORT_WORK } from './usual-work.ts';
import { createWorld, type World } from './world.ts';

/** Far beyond what it takes on a machine that has nothing else to do, far below a lease, which is five minutes here. */
const MOST_SECONDS = 150;
const SITES = Array.from({ length: 10 }, (_, n) => `site-${n}`);
const PROMISES = 6;
const JOBS = 24;

let world: World | null = null;
afterEach(async () => {
  await world?.close();
  world = null;
});

/**
 * Ten sites with records to learn, at wall time, where no submission is ever answered: each is in doubt until somebody
 * asks.
 */
function createDoubtfulWorld(): Promise<World> {
  return createWorld({
    scale: 1,
    predictor: 'wait/gridcast',
    faults: { dropReplies: 1, latencyMilliseconds: 500 },
    settings: { leaseMilliseconds: 300_000, observeIntervalSeconds: 5, retrySeconds: 15, sweepMilliseconds: 1000 },
    sites: SITES.map((name, n) => ({
      name,
      processors: 128,
      policy: 'easy',
      workload: { generated: { seed: 30 + n, load: 0.3 } },
      warmDays: 10,
    })),
  });
}

/** A promise at each of some sites, an hour from now, and jobs that are submitted at once. */
async function askForWork(here: World): Promise<void> {
  const startAt = Math.round(here.clock.now() + 3600);
  const terms = { startAt, windowOpensAt: null, mode: 'HOLD', probability: 0.3, ifMissed: 'CANCEL' } as const;
  for (const name of SITES.slice(0, PROMISES)) {
    const { id } = await here.site(name);
    const promise = { ...SHORT_WORK, ...terms, name, siteIds: [id], maxPaddingProcessorSeconds: null };
    await reserve(here.commands, here.principal, promise);
  }
  for (let n = 0; n < JOBS; n++) {
    await submitJob(here.commands, here.principal, { ...SHORT_WORK, name: `job-${n}`, siteIds: [], deadlineAt: null });
  }
}

test('a worker that is killed and started again has in hand at once whatever was due, in doubt or unseen', {
  timeout: 420_000,
}, async () => {
  const here = await createDoubtfulWorld();
  world = here;
  const { db } = here.stores.database;
  const first = here.spawnWorker();
  const unseen = (since: Date) =>
    db.site.count({ where: { OR: [{ observedAt: null }, { historySince: null }, { observedAt: { lt: since } }] } });
  await here.until('every site was seen', async () => (await unseen(new Date(0))) === 0, 120);
  await askForWork(here);
  const inDoubt = { state: 'SUBMITTING' } as const;
  const inHand = { ...inDoubt, leaseExpiresAt: { not: null } } as const;
  // Stopped for the look: a call that is under way when it is counted is under way when the worker is killed.
  const isInterrupted = async () => {
    first.kill('SIGSTOP');
    const [doubts, calls] = await Promise.all([
      db.execution.count({ where: inDoubt }),
      db.execution.count({ where: inHand }),
    ]);
    if (calls > 0 && doubts > calls) return true;
    first.kill('SIGCONT');
    return false;
  };
  await here.until('some submissions are in doubt and some are under way', isInterrupted, 120);
  const gone = once(first, 'exit');
  first.kill('SIGKILL');
  await gone;

  const killedAt = new Date(here.clock.now() * 1000);
  const doubtful = await db.execution.findMany({
    where: inDoubt,
    select: { id: true, version: true, leaseExpiresAt: true },
  });
  const interrupted = doubtful.filter(({ leaseExpiresAt }) => leaseExpiresAt !== null);
  const waiting = doubtful.filter(({ leaseExpiresAt }) => leaseExpiresAt === null);
  const due = await db.execution.findMany({
    where: { reservation: { isNot: null }, state: 'HELD' },
    select: { id: true, version: true },
  });
  expect(interrupted.length).toBeGreaterThan(0);
  expect(due.length).toBeGreaterThan(0);
  const idsOf = (rows: readonly { id: string }[]) => ({ in: rows.map(({ id }) => id) });
  // As after a while in which nobody worked. The queue knows nothing of it.
  await db.execution.updateMany({ where: { id: idsOf(due) }, data: { submitAt: killedAt, wakeAt: killedAt } });
  await db.execution.updateMany({ where: { id: idsOf(waiting) }, data: { wakeAt: killedAt } });
  await db.site.updateMany({ data: { historySince: new Date(killedAt.getTime() - 3_600_000) } });
  await db.reservation.updateMany({ data: { recomputedAt: new Date(killedAt.getTime() - 3_600_000) } });

  const startedAt = performance.now();
  here.spawnWorker();
  const seconds: Record<string, number> = {};
  const note = async (what: string, isDone: () => Promise<boolean>) => {
    await here.until(what, isDone, MOST_SECONDS);
    seconds[what] = Math.round((performance.now() - startedAt) / 100) / 10;
  };
  const isInHand = async (rows: readonly { id: string; version: number }[]) =>
    (await db.execution.count({ where: { OR: rows.map(({ id, version }) => ({ id, version })) } })) === 0;
  await Promise.all([
    note('every site seen again', async () => (await unseen(killedAt)) === 0),
    note('every interrupted submission in hand', () => isInHand(interrupted)),
    note('every doubt in hand', () => isInHand(waiting)),
    note('every due promise in hand', () => isInHand(due)),
  ]);
  console.log(`after a kill, in seconds from the start of the next worker: ${JSON.stringify(seconds)}`);
  expect(Object.keys(seconds)).toHaveLength(4);
});

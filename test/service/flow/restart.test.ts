import { once } from 'node:events';
import { afterEach, expect, test } from 'vitest';
import { reserve } from '../../../src/commands/reserve.ts';
import { submitJob } from '../../../src/commands/submit-job.ts';
import { createWorld, type World } from './world.ts';

/** Far beyond what it takes on a machine that has nothing else to do, far below a lease, which is five minutes here. */
const MOST_SECONDS = 150;
const SITES = Array.from({ length: 10 }, (_, n) => `site-${n}`);
const JOBS = 12;

let world: World | null = null;
afterEach(async () => {
  await world?.close();
  world = null;
});

const work = {
  script: '#!/bin/sh\nsleep 60\n',
  arguments: [],
  processors: 1,
  walltimeSeconds: 120,
  queue: null,
  idempotencyKey: null,
};

/** Ten sites with records to learn, at wall time, where no submission is ever answered: each is in doubt until somebody asks. */
function createDoubtfulWorld(): Promise<World> {
  return createWorld({
    scale: 1,
    predictor: 'wait/gridcast',
    faults: { dropReplies: 1 },
    settings: {
      leaseMilliseconds: 300_000,
      observeIntervalSeconds: 5,
      retrySeconds: 15,
      recomputeIntervalSeconds: 180,
      overdueSeconds: 2,
      sweepMilliseconds: 1000,
    },
    sites: SITES.map((name, n) => ({
      name,
      processors: 128,
      policy: 'easy',
      workload: { generated: { seed: 30 + n, load: 0.3 } },
      warmDays: 10,
    })),
  });
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
  const startAt = Math.round(here.clock.now() + 3600);
  const terms = { startAt, windowOpensAt: null, mode: 'HOLD', probability: 0.3, ifMissed: 'CANCEL' } as const;
  for (const name of SITES.slice(0, 6)) {
    const { id } = await here.site(name);
    const promise = { ...work, ...terms, name, siteIds: [id], maxPaddingProcessorSeconds: null };
    await reserve(here.commands, here.principal, promise);
  }
  for (let n = 0; n < JOBS; n++) {
    await submitJob(here.commands, here.principal, { ...work, name: `job-${n}`, siteIds: [], deadlineAt: null });
  }
  const inDoubt = () => db.execution.count({ where: { state: 'SUBMITTING' } });
  await here.until('submissions are in doubt', async () => (await inDoubt()) > 0, 120);
  const gone = once(first, 'exit');
  first.kill('SIGKILL');
  await gone;

  const killedAt = new Date();
  const doubtful = await db.execution.findMany({ where: { state: 'SUBMITTING' }, select: { id: true } });
  const due = await db.execution.findMany({
    where: { reservation: { isNot: null }, state: 'HELD' },
    select: { id: true, version: true },
  });
  expect(doubtful.length).toBeGreaterThan(0);
  expect(due.length).toBeGreaterThan(0);
  const dueIds = due.map(({ id }) => id);
  await db.execution.updateMany({ where: { id: { in: dueIds } }, data: { submitAt: killedAt, wakeAt: killedAt } });
  await db.reservation.updateMany({ data: { recomputedAt: new Date(killedAt.getTime() - 3_600_000) } });

  const startedAt = performance.now();
  here.spawnWorker();
  const seconds: Record<string, number> = {};
  const note = async (what: string, isDone: () => Promise<boolean>) => {
    await here.until(what, isDone, MOST_SECONDS);
    seconds[what] = Math.round((performance.now() - startedAt) / 100) / 10;
  };
  const stillDoubtful = { id: { in: doubtful.map(({ id }) => id) }, state: 'SUBMITTING' } as const;
  await Promise.all([
    note('every site seen again', async () => (await unseen(killedAt)) === 0),
    note('every doubt settled', async () => (await db.execution.count({ where: stillDoubtful })) === 0),
    note('every due promise looked at or submitted', async () => {
      return (await db.execution.count({ where: { OR: due } })) === 0;
    }),
  ]);
  console.log(`after a kill, in seconds from the start of the next worker: ${JSON.stringify(seconds)}`);
  expect(Math.max(...Object.values(seconds))).toBeLessThan(MOST_SECONDS);
});

import { afterEach, expect, test } from 'vitest';
import { reserve } from '../../../src/commands/reserve.ts';
import { submitJob } from '../../../src/commands/submit-job.ts';
import type { QueueFacts } from '../../../src/domain/site.ts';
import { type ExecutionRow, findExecution } from '../../../src/store/executions.ts';
import { findReservation } from '../../../src/store/reservations.ts';
import { findSiteByName } from '../../../src/store/sites.ts';
import type { SteppedWorld } from './stepped-world.ts';
import { createIdleWorld, SHORT_WORK } from './usual-work.ts';

let world: SteppedWorld;
afterEach(() => world.close());

const VIP: QueueFacts = { name: 'vip', isDefault: false, maxProcessors: null, maxWalltimeSeconds: null };
const FORBIDDEN = { bar: 'FORBIDDEN', barredTerm: 'qos', unusableBecause: 'it takes no jobs of QOS normal' } as const;

/** A worker of a site with one queue more. */
async function workerWith(queue: () => QueueFacts) {
  world = await createIdleWorld(74, 'east');
  await world.database.db.site.updateMany({ data: { honours: ['qos'] } });
  return world.worker({
    adapter: (plain) => ({
      ...plain,
      capabilities: { ...plain.capabilities, honours: ['qos'] },
      async facts() {
        const { queues, ...facts } = await plain.facts();
        return { ...facts, queues: [...queues, queue()] };
      },
      async submit(spec, key) {
        return plain.submit({ ...spec, queue: null }, key);
      },
    }),
  });
}

const isTold = (bar: string | null) => async () => {
  const site = await findSiteByName(world.database.db, 'east');
  return site?.queues.some((queue) => queue.name === 'vip' && queue.bar === bar) ?? false;
};

const wish = (name: string, changes: object = {}) => {
  return { ...SHORT_WORK, siteIds: [] as string[], queue: 'vip', ...changes, name, deadlineAt: null };
};

async function submit(name: string, changes: object = {}): Promise<string> {
  return (await submitJob(world.commands, world.principal, wish(name, changes))).executionId;
}

const row = async (id: string) => (await findExecution(world.database.db, id)) as ExecutionRow;
const isSettled = (id: string) => async () => (await row(id)).settledAt !== null;

test('a queue for a QOS that one has to ask for takes the jobs and promises that name one', async () => {
  const worker = await workerWith(() => ({ ...VIP, ...FORBIDDEN }));
  await world.until('the queue is known', isTold('FORBIDDEN'), worker);
  await expect(submit('unasked')).rejects.toThrow('it may take one that names a QOS of its own');
  const terms = { qos: 'urgent' };
  const startAt = Math.round(world.clock.now() + 3 * 3600);
  const asked = { startAt, windowOpensAt: null, mode: 'HOLD', probability: 0.5, ifMissed: 'CANCEL' } as const;
  const promise = { ...wish('promise', { terms }), ...asked, maxPaddingProcessorSeconds: null };
  const { reservationId } = await reserve(world.commands, world.principal, promise);
  const job = await submit('job', { terms });
  await world.until('the job is settled', isSettled(job), worker);
  expect(await row(job)).toMatchObject({ outcome: 'COMPLETED', siteQueue: 'vip' });
  const isDecided = async () => (await findReservation(world.database.db, reservationId))?.decidedAt !== null;
  await world.until('the promise is decided', isDecided, worker);
  expect(await findReservation(world.database.db, reservationId)).toMatchObject({ state: 'KEPT' });
});

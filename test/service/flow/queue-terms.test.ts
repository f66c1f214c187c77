import { afterEach, expect, test } from 'vitest';
import { reserve } from '../../../src/commands/reserve.ts';
import { submitJob } from '../../../src/commands/submit-job.ts';
import { Rejected } from '../../../src/domain/failures.ts';
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
const DOWN = 'Required partition not available (inactive or drain)';

/** A worker of a site with one queue more, whose words against a submission are told. */
async function workerWith(queue: () => QueueFacts, says: () => string | null = () => null) {
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
        const words = spec.queue === 'vip' ? says() : null;
        if (words !== null) throw new Rejected(`refused: ${words}`, words);
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
  await expect(submit('unasked')).rejects.toThrow('takes none of our jobs that name no QOS of their own');
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

test('a queue that was down is used again as soon as it says that it is up', async () => {
  let bar: Pick<QueueFacts, 'bar' | 'unusableBecause'> = { bar: null, unusableBecause: null };
  let says: string | null = null;
  const worker = await workerWith(
    () => ({ ...VIP, ...bar }),
    () => says,
  );
  await world.until('the queue is known', isTold(null), worker);
  says = DOWN;
  const job = await submit('job');
  const isRefused = async () => (await row(job)).reason?.includes(DOWN) ?? false;
  await world.until('it is refused', isRefused, worker);
  const refusedAt = world.clock.now();
  bar = { bar: 'DOWN', unusableBecause: 'its state is DRAIN' };
  await world.until('the queue is seen down', isTold('DOWN'), worker);
  bar = { bar: null, unusableBecause: null };
  says = null;
  await world.until('the job is settled', isSettled(job), worker);
  const { outcome, startedAt } = await row(job);
  expect(outcome).toBe('COMPLETED');
  // Two looks of five minutes show it; the refusal alone counts for a quarter of an hour.
  expect((startedAt ?? Number.NaN) - refusedAt).toBeLessThan(800);
});

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { cancelJob } from '../../../src/commands/cancel-job.ts';
import { cancelReservation } from '../../../src/commands/cancel-reservation.ts';
import { reserve } from '../../../src/commands/reserve.ts';
import { submitJob } from '../../../src/commands/submit-job.ts';
import { EXECUTION_STATES, type ExecutionState } from '../../../src/domain/execution.ts';
import { Unknown } from '../../../src/domain/failures.ts';
import { findExecution } from '../../../src/store/executions.ts';
import { findReservationOf } from '../../../src/store/reservations.ts';
import { withCrashes } from './faults.ts';
import { createSteppedWorld, type SteppedWorld } from './stepped-world.ts';
import { CLEAN, judge } from './witness.ts';

let world: SteppedWorld;
beforeAll(async () => {
  world = await createSteppedWorld({
    seed: 1,
    accountingLagSeconds: 120,
    settings: { observeIntervalSeconds: 300, recomputeIntervalSeconds: 1e6 },
    sites: [
      { name: 'east', processors: 64, policy: 'easy', workload: { generated: { seed: 50, load: 0.02 } }, warmDays: 40 },
    ],
  });
});
afterAll(async () => {
  const executions = await world.database.db.execution.count();
  console.log(
    `cancel at every state: ${executions} runs and cancellations, 0 lost, 0 duplicated, 0 left holding processors`,
  );
  await world.close();
});

const work = {
  script: '#!/bin/sh\nsleep 1500\n',
  arguments: [],
  processors: 4,
  walltimeSeconds: 1800,
  queue: null,
  siteIds: [],
  idempotencyKey: null,
};

async function job(name: string): Promise<string> {
  return (await submitJob(world.commands, world.principal, { ...work, name, deadlineAt: null })).executionId;
}

async function reservation(name: string): Promise<string> {
  const startAt = Math.round(world.clock.now() + 7200);
  const terms = { startAt, windowOpensAt: null, mode: 'HOLD', probability: 0.5, ifMissed: 'CANCEL' } as const;
  await reserve(world.commands, world.principal, { ...work, ...terms, name, maxPaddingProcessorSeconds: null });
  const submitAt = new Date((world.clock.now() + 1800) * 1000);
  const { id } = await world.database.db.execution.findFirstOrThrow({ where: { name } });
  await world.database.db.execution.update({ where: { id }, data: { submitAt } });
  return id;
}

/**
 * Cancels an execution right after the commit that brings it into the state, in the middle of a worker's turn as it may
 * be.
 */
async function cancelWhen(id: string, state: ExecutionState, cancel: () => Promise<unknown>): Promise<void> {
  const { db } = world.database;
  let asked = false;
  const cancelIfThere = async () => {
    if (asked || (await findExecution(db, id))?.state !== state) return;
    asked = true;
    // What has ended by itself cannot be cancelled any more.
    await cancel().catch((error: unknown) => expect(state, String(error)).toBe('ENDED'));
  };
  const worker = world.worker({
    database: (database) =>
      withCrashes(database, async (point) => (point === 'after a commit' ? cancelIfThere() : undefined)),
    adapter: (adapter) => ({
      ...adapter,
      async submit(spec, key) {
        const accepted = await adapter.submit(spec, key);
        if (state === 'SUBMITTING') throw new Unknown('Batch job submission timed out');
        return accepted;
      },
    }),
  });
  await cancelIfThere();
  await world.until('it is settled', async () => (await findExecution(db, id))?.settledAt !== null, worker);
  expect(asked).toBe(true);
}

describe.each(EXECUTION_STATES)('cancelled while it is %s', (state) => {
  test('a job ends so and holds nothing', async () => {
    const id = await job(`job-${state}`);
    await cancelWhen(id, state, () => cancelJob(world.commands, world.principal, { id, idempotencyKey: null }));
    const execution = await findExecution(world.database.db, id);
    const reason = state === 'ENDED' ? null : expect.stringMatching(/CANCELLED|cancelled by its caller/);
    expect(execution).toMatchObject({ outcome: state === 'ENDED' ? 'COMPLETED' : 'CANCELLED', reason });
    if (state === 'REQUESTED' || state === 'HELD') expect(execution?.attempts).toBe(0);
    expect(await judge(world)).toMatchObject(CLEAN);
  });

  // A reservation comes into the world with its site and its submission time.
  if (state === 'REQUESTED') return;
  test('a reservation ends so and holds nothing', async () => {
    const id = await reservation(`reservation-${state}`);
    const promised = await findReservationOf(world.database.db, id);
    const wish = { id: promised?.id ?? '', idempotencyKey: null };
    await cancelWhen(id, state, () => cancelReservation(world.commands, world.principal, wish));
    const execution = await findExecution(world.database.db, id);
    expect(execution?.outcome).toBe(state === 'ENDED' ? 'COMPLETED' : 'CANCELLED');
    const decided = await findReservationOf(world.database.db, id);
    expect(decided?.state).toBe(state === 'ENDED' ? 'KEPT' : 'CANCELLED');
    expect(await judge(world)).toMatchObject(CLEAN);
  });
});

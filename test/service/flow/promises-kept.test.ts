import { afterEach, expect, test } from 'vitest';
import { reserve } from '../../../src/commands/reserve.ts';
import type { ExecutionRow } from '../../../src/store/executions.ts';
import { findReservation, type ReservationRow } from '../../../src/store/reservations.ts';
import { findCharges } from '../../../src/store/scores.ts';
import { createSteppedWorld, type SteppedWorld } from './stepped-world.ts';

const PROBABILITY = 0.8;
const PROMISES = 12;
const PROCESSORS = 8;
const WORK_SECONDS = 900;

let world: SteppedWorld;
afterEach(() => world.close());

test('promises are submitted at their moment, held until startAt, kept as often as promised and charged with their padding', async () => {
  world = await createSteppedWorld({
    seed: 5,
    sites: [128, 256].map((processors, index) => {
      const workload = { generated: { seed: 3 + index, load: 0.4 } };
      return { name: `site${index}`, processors, policy: 'easy' as const, workload, warmDays: 20 };
    }),
  });
  const promises: ReservationRow[] = [];
  for (let index = 0; index < PROMISES; index++) promises.push(await promise(3 * 3600 + 600 * index));
  for (const { promisedProbability, trajectory } of promises) {
    expect(promisedProbability).toBeGreaterThanOrEqual(PROBABILITY);
    expect((trajectory as unknown[]).length).toBeGreaterThan(100);
  }
  const { db } = world.database;
  await world.until('all are settled', async () => (await db.execution.count({ where: { settledAt: null } })) === 0);

  const decided = await Promise.all(promises.map(({ id }) => reservation(id)));
  const kept = decided.filter(({ state }) => state === 'KEPT').length;
  const promised = promises.reduce((sum, { promisedProbability }) => sum + promisedProbability, 0) / PROMISES;
  const standardError = Math.sqrt((promised * (1 - promised)) / PROMISES);
  expect(kept / PROMISES).toBeGreaterThanOrEqual(promised - 2 * standardError);
  for (const one of decided) await expectFairCharge(one);
});

async function promise(leadSeconds: number): Promise<ReservationRow> {
  const startAt = Math.round(world.clock.now() + leadSeconds);
  const terms = { startAt, windowOpensAt: null, mode: 'HOLD', probability: PROBABILITY, ifMissed: 'CANCEL' } as const;
  const script = `#!/bin/sh\nsleep ${WORK_SECONDS}\n`;
  const work = { name: 'ensemble', script, arguments: [], processors: PROCESSORS, walltimeSeconds: 1800, queue: null };
  const rest = { siteIds: [], maxPaddingProcessorSeconds: null, idempotencyKey: null };
  const { reservationId } = await reserve(world.commands, world.principal, { ...work, ...terms, ...rest });
  return reservation(reservationId);
}

async function reservation(id: string): Promise<ReservationRow> {
  const found = await findReservation(world.database.db, id);
  if (!found) throw new Error(`no reservation ${id}`);
  return found;
}

/** A kept promise ran after its hold and pays for both; whatever the outcome, what was held is what is charged. */
async function expectFairCharge(decided: ReservationRow): Promise<void> {
  const { startedAt, endedAt, outcome } = await times(decided.executionId);
  const heldSeconds = startedAt === null || endedAt === null ? 0 : endedAt - startedAt;
  const charges = await findCharges(world.database.db, [decided.executionId]);
  const sum = charges.reduce((total, { processorSeconds }) => total + processorSeconds, 0);
  expect(sum).toBeCloseTo(PROCESSORS * heldSeconds + decided.releasedProcessorSeconds, 5);
  const isInTime = startedAt !== null && startedAt <= decided.startAt;
  expect(decided.state).toBe(isInTime ? 'KEPT' : 'MISSED');
  if (!isInTime) return expect(outcome).not.toBe('COMPLETED');
  expect(outcome).toBe('COMPLETED');
  // The work took its time after the hold, not before.
  expect(endedAt).toBeGreaterThanOrEqual(decided.startAt + WORK_SECONDS);
  const padding = charges.find(({ kind }) => kind === 'PADDING')?.processorSeconds ?? 0;
  expect(padding).toBeCloseTo((decided.startAt - startedAt) * PROCESSORS + decided.releasedProcessorSeconds, 5);
}

async function times(id: string): Promise<Pick<ExecutionRow, 'startedAt' | 'endedAt' | 'outcome'>> {
  const { startedAt, endedAt, outcome } = await world.database.db.execution.findUniqueOrThrow({ where: { id } });
  const seconds = (at: Date | null) => (at === null ? null : at.getTime() / 1000);
  return { startedAt: seconds(startedAt), endedAt: seconds(endedAt), outcome };
}

import { expect } from 'vitest';
import { reserve } from '../../../src/commands/reserve.ts';
import { jobsOf, LEAD_SECONDS, submitEarly } from './down-world.ts';
import { attemptsOf, executionOf, promiseOf } from './rows.ts';
import { createSteppedWorld, type SteppedWorld } from './stepped-world.ts';
import { CLEAN, judge } from './witness.ts';

/** A machine with next to nothing to do: whoever comes starts at once, and would an hour later. */
export function createIdleWorld(seed: number): Promise<SteppedWorld> {
  const workload = { generated: { seed: 100 * seed, load: 0.02 } };
  return createSteppedWorld({
    seed,
    accountingLagSeconds: 120,
    settings: { observeIntervalSeconds: 300 },
    sites: [{ name: 'east', processors: 64, policy: 'easy', workload, warmDays: 40 }],
  });
}

export interface Wish {
  readonly maxPaddingProcessorSeconds: number | null;
  readonly ifMissed: 'CANCEL' | 'RUN_LATE';
  /** Mode WINDOW, with the opening so long before the time that is promised; mode HOLD with 0. */
  readonly windowSeconds: number;
  readonly probability: number;
}

/** A promise that is handed in hours before its plan says, as it would be when the site had seemed busy. */
export async function askForEarly(
  world: SteppedWorld,
  name: string,
  { maxPaddingProcessorSeconds = null, ifMissed = 'CANCEL', windowSeconds = 0, probability = 0.6 }: Partial<Wish> = {},
): Promise<string> {
  const { commands, principal, clock, database } = world;
  const startAt = Math.round(clock.now() + LEAD_SECONDS);
  const mode = windowSeconds > 0 ? 'WINDOW' : 'HOLD';
  const windowOpensAt = windowSeconds > 0 ? startAt - windowSeconds : null;
  const terms = { startAt, windowOpensAt, mode, probability, ifMissed } as const;
  const work = { script: '#!/bin/sh\nsleep 900\n', arguments: [], processors: 4, walltimeSeconds: 1800, queue: null };
  const rest = { name, siteIds: [], maxPaddingProcessorSeconds, idempotencyKey: null };
  await reserve(commands, principal, { ...work, ...terms, ...rest });
  const { id } = await database.db.execution.findFirstOrThrow({ where: { name } });
  await submitEarly(world, id);
  return id;
}

export async function charged(world: SteppedWorld, id: string): Promise<number> {
  const charges = await world.database.db.charge.findMany({ where: { executionId: id } });
  return charges.reduce((sum, { processorSeconds }) => sum + processorSeconds, 0);
}

export function heldProcessorSeconds(world: SteppedWorld, id: string): number {
  return jobsOf(world, 'east', id).reduce((sum, { startAt, endAt }) => sum + 4 * ((endAt ?? 0) - (startAt ?? 0)), 0);
}

/** It gave its processors back, another job kept the promise, and everything that was held is charged. */
export async function expectReleased(world: SteppedWorld, id: string): Promise<void> {
  expect(await executionOf(world, id)).toMatchObject({ outcome: 'COMPLETED', attempts: 2 });
  expect((await promiseOf(world, id))?.state).toBe('KEPT');
  expect(await attemptsOf(world, id)).toEqual(['RELEASED', 'ACCEPTED']);
  expect(jobsOf(world, 'east', id)).toMatchObject([{ outcome: 'CANCELLED' }, { outcome: 'COMPLETED' }]);
  const [released] = jobsOf(world, 'east', id);
  const heldSeconds = (released?.endAt ?? Number.NaN) - (released?.startAt ?? 0);
  expect((await promiseOf(world, id))?.releasedProcessorSeconds).toBe(4 * heldSeconds);
  expect(await charged(world, id)).toBe(heldProcessorSeconds(world, id));
  expect(heldProcessorSeconds(world, id)).toBeLessThan(4 * (LEAD_SECONDS / 2));
  expect(await judge(world)).toMatchObject(CLEAN);
}

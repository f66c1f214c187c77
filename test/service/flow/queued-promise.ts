import { expect } from 'vitest';
import { coAllocate } from '../../../src/commands/co-allocate.ts';
import { flatRule } from '../../../src/domain/co-allocation.ts';
import type { SiteAdapter } from '../../../src/domain/site-adapter.ts';
import type { FlowContext } from '../../../src/flow/context.ts';
import { findSiteByName } from '../../../src/store/sites.ts';
import { jobsOf, LEAD_SECONDS, RESUMES_AFTER, submitEarly, whileDrained } from './down-world.ts';
import { attemptsOf, executionOf, promiseOf } from './rows.ts';
import type { SteppedWorld } from './stepped-world.ts';
import { CLEAN, judge } from './witness.ts';

/** A worker that finds `east` as `wrap` makes it. */
export function workerWith(world: SteppedWorld, wrap: (adapter: SiteAdapter) => Partial<SiteAdapter>): FlowContext {
  return world.worker({
    adapter: (adapter, name) => (name === 'east' ? { ...adapter, ...wrap(adapter) } : adapter),
  });
}

export const isSuspended = (world: SteppedWorld) => async () =>
  (await findSiteByName(world.database.db, 'east'))?.state === 'SUSPENDED';
export const hasWish = (world: SteppedWorld, id: string) => async () =>
  (await attemptsOf(world, id)).at(-1) === 'WITHDRAWING';

/** Brings the clock to the moment from which the site that was down starts jobs again. */
export function resume(world: SteppedWorld, beganAt: number): void {
  world.clock.advanceTo(Math.max(world.clock.now(), beganAt + RESUMES_AFTER + 1));
}

/** The promise was kept at the other site, and exactly one job did any work. */
export async function expectMoved(world: SteppedWorld, id: string, left = 'WITHDRAWN'): Promise<void> {
  const moved = await executionOf(world, id);
  expect(moved).toMatchObject({ outcome: 'COMPLETED', siteId: world.siteIds.get('west'), attempts: 2 });
  expect((await promiseOf(world, id))?.state).toBe('KEPT');
  expect(await attemptsOf(world, id)).toEqual([left, 'ACCEPTED']);
  expect(jobsOf(world, 'east', id)).toMatchObject([{ state: 'ENDED', startAt: null, outcome: 'CANCELLED' }]);
  const [withdrawn] = jobsOf(world, 'east', id);
  const [done, ...more] = jobsOf(world, 'west', id);
  expect(done).toMatchObject({ state: 'ENDED', outcome: 'COMPLETED' });
  expect(more).toEqual([]);
  expect(done?.submittedAt).toBeGreaterThan(withdrawn?.endAt ?? Number.POSITIVE_INFINITY);
  const { nativeJobs: _, ...rest } = await judge(world);
  expect(rest).toEqual(CLEAN);
}

/** The promise was kept where it was made, by the only job there ever was. */
export async function expectStayed(world: SteppedWorld, id: string): Promise<void> {
  expect(await executionOf(world, id)).toMatchObject({
    outcome: 'COMPLETED',
    siteId: world.siteIds.get('east'),
    attempts: 1,
  });
  expect((await promiseOf(world, id))?.state).toBe('KEPT');
  expect(await attemptsOf(world, id)).toEqual(['ACCEPTED']);
  expect(await judge(world)).toEqual({ ...CLEAN, nativeJobs: 1 });
}

/** Two legs that both must run: `wanderer` waits in the queue of `east`, `settler` for its submission to `north`. */
export async function askForLegs(world: SteppedWorld): Promise<string> {
  const { commands, principal, siteIds, database } = world;
  const work = { script: '#!/bin/sh\nsleep 900\n', arguments: [], processors: 4, walltimeSeconds: 1800, queue: null };
  const legs = [
    { ...work, name: 'wanderer', legId: 'a', siteIds: [] },
    { ...work, name: 'settler', legId: 'b', siteIds: [siteIds.get('north') ?? ''] },
  ];
  const startAt = Math.round(world.clock.now() + LEAD_SECONDS);
  const terms = { startAt, probability: 0.5, rule: flatRule('ALL', null, ['a', 'b']), rulePath: 'input' } as const;
  await whileDrained(world, ['west'], () =>
    coAllocate(commands, principal, { ...terms, legs, ifLegMissed: 'CANCEL_ALL', idempotencyKey: null }),
  );
  const { id } = await database.db.execution.findFirstOrThrow({ where: { name: 'wanderer' } });
  expect((await executionOf(world, id))?.siteId).toBe(siteIds.get('east'));
  await submitEarly(world, id);
  return id;
}

export async function expectWandered(world: SteppedWorld, id: string, to: string): Promise<void> {
  const { database, siteIds } = world;
  const isOver = async () => (await database.db.execution.count({ where: { settledAt: null } })) === 0;
  await world.until('all is over', isOver);
  expect(await executionOf(world, id)).toMatchObject({ outcome: 'COMPLETED', siteId: siteIds.get(to), attempts: 2 });
  expect(await database.db.coAllocation.findMany()).toMatchObject([{ state: 'SUCCEEDED' }]);
  const { nativeJobs: _, ...rest } = await judge(world);
  expect(rest).toEqual(CLEAN);
  expect(jobsOf(world, 'east', id)).toMatchObject([{ startAt: null, outcome: 'CANCELLED' }]);
}

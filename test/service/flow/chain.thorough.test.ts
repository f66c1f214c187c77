import { afterEach, beforeEach, expect, test } from 'vitest';
import { cancelJob } from '../../../src/commands/cancel-job.ts';
import { submitJob } from '../../../src/commands/submit-job.ts';
import type { DependencyCondition } from '../../../src/domain/dependency.ts';
import type { FlowContext } from '../../../src/flow/context.ts';
import { findCharges } from '../../../src/store/scores.ts';
import { Crash } from './faults.ts';
import { attemptsOf, executionOf, isSettled } from './rows.ts';
import { createSteppedWorld, type SteppedWorld } from './stepped-world.ts';
import { WORK } from './usual-work.ts';
import { CLEAN, judge } from './witness.ts';

let world: SteppedWorld;
beforeEach(async () => {
  world = await createSteppedWorld({
    seed: 1,
    settings: { observeIntervalSeconds: 60 },
    sites: ['east', 'west'].map((name, n) => {
      return { name, processors: 64, workload: { generated: { seed: 91 + n, load: 0.02 } }, warmDays: 40 };
    }),
  });
});
afterEach(() => world.close());

const LONG = '#!/bin/sh\nsleep 1700\n';

async function submit(name: string, script: string, site: string, walltimeSeconds = 1800): Promise<string> {
  const siteIds = [world.siteIds.get(site) ?? ''];
  const job = { ...WORK, name, script, siteIds, walltimeSeconds, deadlineAt: null };
  return (await submitJob(world.commands, world.principal, job)).executionId;
}

/** To start right after another one, at the other site. */
async function follow(predecessorId: string, condition: DependencyCondition): Promise<string> {
  const siteIds = [world.siteIds.get('west') ?? ''];
  const job = { ...WORK, name: 'next', siteIds, deadlineAt: null, startAfter: { predecessorId, condition } };
  return (await submitJob(world.commands, world.principal, job)).executionId;
}

const isAtGate = (id: string) => async () => {
  const row = await executionOf(world, id);
  return row?.state === 'RUNNING' && row.gateOpenedAt === null;
};
const tellings = () => world.journal('west').filter(({ kind }) => kind === 'begin').length;

test('a successor waits at its gate for the end, over sites, and begins at once then', async () => {
  const first = await submit('first', LONG, 'east');
  const next = await follow(first, 'SUCCESS');
  const worker = believing(world.worker());
  await world.until('it waits at its gate', isAtGate(next), worker);
  expect(await executionOf(world, next)).toMatchObject({
    ...{ awaits: true, startsAhead: true, attempts: 1, reason: 'it waits for the success of "first"' },
  });
  expect(tellings()).toBe(0);
  await world.until('it is settled', isSettled(world, next), worker);
  const [before, row] = [await executionOf(world, first), await executionOf(world, next)];
  const endedAt = before?.endedAt ?? Number.NaN;
  expect(row).toMatchObject({ outcome: 'COMPLETED', attempts: 1, readyAt: endedAt, reason: null });
  expect(row?.startedAt).toBeLessThan(endedAt);
  expect(row?.gateOpenedAt).toBeGreaterThanOrEqual(endedAt);
  // Sites tell whole seconds.
  const ranSeconds = (row?.endedAt ?? 0) - (row?.gateOpenedAt ?? 0);
  expect(Math.ceil(ranSeconds)).toBe(900);
  // What is left of the gap is how often sites are looked at.
  expect((row?.gateOpenedAt ?? 0) - endedAt).toBeLessThanOrEqual(120);
  expect(row?.expectedGapSeconds).toBeGreaterThanOrEqual(0);
  const heldSeconds = (row?.gateOpenedAt ?? 0) - (row?.startedAt ?? 0);
  const charges = await findCharges(world.database.db, [next]);
  const charged = new Map(charges.map(({ kind, processorSeconds }) => [kind, processorSeconds]));
  expect([...charged.keys()].sort()).toEqual(['NEEDED', 'PADDING']);
  expect(charged.get('NEEDED')).toBeCloseTo(4 * ranSeconds, 3);
  expect(charged.get('PADDING')).toBeCloseTo(4 * heldSeconds, 3);
  expect(await judge(world)).toMatchObject(CLEAN);
});

test('a failure ends a successor that waits at its gate, with none of its work done', async () => {
  const first = await submit('first', `${LONG}exit 3\n`, 'east');
  const next = await follow(first, 'SUCCESS');
  const worker = believing(world.worker());
  await world.until('it waits at its gate', isAtGate(next), worker);
  await world.until('it is settled', isSettled(world, next), worker);
  expect(await executionOf(world, next)).toMatchObject({
    ...{ outcome: 'CANCELLED', gateOpenedAt: null, reason: 'its predecessor "first" failed: its work failed' },
  });
  expect(tellings()).toBe(0);
  expect(await judge(world)).toMatchObject(CLEAN);
});

test('a successor is cancelled at its gate as anywhere, and its predecessor runs on', async () => {
  const first = await submit('first', LONG, 'east');
  const next = await follow(first, 'ANY_END');
  await world.until('it waits at its gate', isAtGate(next), believing(world.worker()));
  await cancelJob(world.commands, world.principal, { id: next, idempotencyKey: null });
  await world.until('it is settled', isSettled(world, next));
  expect(await executionOf(world, next)).toMatchObject({ outcome: 'CANCELLED', gateOpenedAt: null });
  await world.until('the other one is settled', isSettled(world, first));
  expect(await executionOf(world, first)).toMatchObject({ outcome: 'COMPLETED' });
});

test('one that waits in vain gives up without its work, and comes after the end in the end', async () => {
  const worker = believing(world.worker());
  const first = await submit('first', '#!/bin/sh\nsleep 6000\n', 'east', 7200);
  const next = await follow(first, 'ANY_END');
  await world.until('it is settled', isSettled(world, next), worker);
  const [before, row] = [await executionOf(world, first), await executionOf(world, next)];
  expect(row).toMatchObject({ outcome: 'COMPLETED' });
  const attempts = await attemptsOf(world, next);
  expect(attempts[0]).toBe('RELEASED');
  expect(attempts.at(-1)).toBe('ACCEPTED');
  expect(attempts.length).toBeLessThanOrEqual(3);
  expect(row?.gateOpenedAt ?? row?.startedAt).toBeGreaterThanOrEqual(before?.endedAt ?? Number.NaN);
  const charges = await findCharges(world.database.db, [next]);
  expect(charges.map(({ kind }) => kind).sort()).toEqual(expect.arrayContaining(['LOST', 'NEEDED']));
  expect(await judge(world)).toMatchObject(CLEAN);
});

test('where a site has no way to tell a job anything it comes after the end', async () => {
  const worker = world.worker({ adapter: ({ begin: _begin, ...adapter }) => adapter });
  const first = await submit('first', LONG, 'east');
  const next = await follow(first, 'ANY_END');
  await world.until('it is settled', isSettled(world, next), worker);
  const [before, row] = [await executionOf(world, first), await executionOf(world, next)];
  expect(row).toMatchObject({ outcome: 'COMPLETED', gateSeconds: null, attempts: 1 });
  expect(row?.nativeSubmittedAt).toBeGreaterThanOrEqual(before?.endedAt ?? Number.NaN);
});

test('workers that die when they tell a job to begin lose nothing and begin nothing early', async () => {
  let calls = 0;
  const hire = (): FlowContext => {
    const worker = world.worker({
      adapter: (adapter) => ({
        ...adapter,
        async begin(job) {
          calls++;
          if (calls === 1) throw new Crash('before a commit');
          await adapter.begin?.(job);
          if (calls === 2) throw new Crash('after a commit');
        },
      }),
    });
    return believing(worker);
  };
  let worker = hire();
  const bury = async (error: unknown) => {
    if (!(error instanceof Crash)) throw error;
    worker = hire();
    await world.expireLeases();
  };
  const first = await submit('first', LONG, 'east');
  const next = await follow(first, 'ANY_END');
  const isOver = isSettled(world, next);
  for (let steps = 0; steps < 500 && !(await isOver()); steps++) await world.step(() => worker, bury);
  expect(calls).toBeGreaterThan(2);
  expect(await executionOf(world, next)).toMatchObject({ outcome: 'COMPLETED', attempts: 1 });
  expect(await judge(world)).toMatchObject(CLEAN);
});

/** A worker that takes every runtime for that of `LONG`, and every wait for five minutes where there is none. */
function believing(worker: FlowContext): FlowContext {
  const { forecaster } = worker;
  return {
    ...worker,
    forecaster: new Proxy(forecaster, {
      get(target, name) {
        if (name === 'forecastOthers') {
          return async (...args: Parameters<typeof forecaster.forecastOthers>) => {
            const told = await target.forecastOthers(...args);
            return told.map((forecast) => ({ ...forecast, point: 1700, percentiles: always(1700) }));
          };
        }
        if (name !== 'forecastWaits') return Reflect.get(target, name, target);
        return async (...args: Parameters<typeof forecaster.forecastWaits>) => {
          const told = await target.forecastWaits(...args);
          return told.map((forecast) => ({ ...forecast, pointSeconds: 300, quantileSeconds: always(300) }));
        };
      },
    }),
  };
}

const always = (seconds: number) => new Array<number>(99).fill(seconds);

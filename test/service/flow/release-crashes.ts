import { expect } from 'vitest';
import { askForEarly, createIdleWorld, expectReleased } from './early-promise.ts';
import { Crash, withCrashes } from './faults.ts';
import { executionOf, isSettled, promiseOf } from './rows.ts';
import type { SteppedWorld } from './stepped-world.ts';

/** A release once undisturbed, and again with a death at every `step`th point and where the site cancels. */
export async function releaseWithDeaths(step: number): Promise<void> {
  const points = await releaseWithDeathAt(0);
  expect(points).toEqual(expect.arrayContaining(['before the site cancels', 'after the site has cancelled']));
  const deaths = [...points.keys()].filter((n) => n % step === 0 || points[n]?.endsWith('the site has cancelled'));
  for (const n of deaths) await releaseWithDeathAt(n + 1);
  console.log(`a release: ${deaths.length} deaths at ${points.length} points`);
}

/**
 * One promise that is released, whose worker dies at the visit of that number; the points visited until it is held
 * again.
 */
async function releaseWithDeathAt(death: number): Promise<string[]> {
  const world = await createIdleWorld(7);
  try {
    return await releaseIn(world, death);
  } finally {
    await world.close();
  }
}

async function releaseIn(world: SteppedWorld, death: number): Promise<string[]> {
  const id = await askForEarly(world, 'mortal');
  await world.until('its job holds', async () => (await promiseOf(world, id))?.state === 'HOLDING');
  const visited: string[] = [];
  let isReleasing = true;
  const visit = (point: string) => {
    if (!isReleasing) return;
    visited.push(point);
    if (visited.length === death) throw new Crash(point);
  };
  const hire = () =>
    world.worker({
      database: (database) => withCrashes(database, async (point) => visit(point)),
      adapter: (adapter) => ({
        ...adapter,
        async cancel(job) {
          visit('before the site cancels');
          await adapter.cancel(job);
          visit('after the site has cancelled');
        },
      }),
    });
  let worker = hire();
  const bury = async (error: unknown) => {
    if (!(error instanceof Crash)) throw error;
    worker = hire();
    await world.expireLeases();
  };
  for (let steps = 0; !(await isSettled(world, id)()) && steps < 2000; steps++) {
    await world.step(() => worker, bury);
    isReleasing &&= (await executionOf(world, id))?.state !== 'HELD';
  }
  await expectReleased(world, id).catch((error: unknown) => {
    throw new Error(`death ${death}: ${visited[death - 1]}`, { cause: error });
  });
  return visited;
}

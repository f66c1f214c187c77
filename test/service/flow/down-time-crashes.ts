import { expect } from 'vitest';
import { findExecution } from '../../../src/store/executions.ts';
import { findReservationOf } from '../../../src/store/reservations.ts';
import { findSiteByName } from '../../../src/store/sites.ts';
import { listSubmissions } from '../../../src/store/submissions.ts';
import { askForQueued, createDownWorld, jobsOf } from './down-world.ts';
import { Crash, type SiteFaults } from './faults.ts';
import { live, mortal } from './mortal-worker.ts';
import type { SteppedWorld } from './stepped-world.ts';
import { judge } from './witness.ts';

const PROMISES = 5;

const isSuspended = (world: SteppedWorld) => async () =>
  (await findSiteByName(world.database.db, 'east'))?.state === 'SUSPENDED';

/** One promise that moves, whose worker dies at the visit of that number; the points visited until it has moved. */
async function moveWithDeathAt(death: number): Promise<string[]> {
  const world = await createDownWorld(1);
  try {
    const { db } = world.database;
    const id = await askForQueued(world, 'mover');
    await world.until('it is suspended', isSuspended(world));
    const visited: string[] = [];
    let isMoving = true;
    const hire = mortal(world, (point) => {
      if (isMoving) visited.push(point);
      if (isMoving && visited.length === death) throw new Crash(point);
    });
    await live(world, hire, async () => (await findExecution(db, id))?.siteId === world.siteIds.get('west'));
    isMoving = false;
    await live(world, hire, async () => (await findExecution(db, id))?.settledAt !== null);
    const where = `death ${death}: ${visited[death - 1]}`;
    expect((await findReservationOf(db, id))?.state, where).toBe('KEPT');
    expect(await listSubmissions(db, id), where).toMatchObject([{ state: 'WITHDRAWN' }, { state: 'ACCEPTED' }]);
    expect(jobsOf(world, 'east', id), where).toMatchObject([{ startAt: null, outcome: 'CANCELLED' }]);
    expect(jobsOf(world, 'west', id), where).toMatchObject([{ outcome: 'COMPLETED' }]);
    const { lost, leftovers, undecided } = await judge(world);
    expect({ lost, leftovers, undecided }, where).toEqual({ lost: [], leftovers: [], undecided: [] });
    return visited;
  } finally {
    await world.close();
  }
}

/** A move once undisturbed, and again with a death at every `step`th point and where the site cancels. */
export async function moveWithDeaths(step: number): Promise<void> {
  const points = await moveWithDeathAt(0);
  for (const point of [
    'before a commit',
    'after a commit',
    'before the site cancels',
    'after the site has cancelled',
  ]) {
    expect(points).toContain(point);
  }
  const deaths = [...points.keys()].filter((n) => n % step === 0 || points[n]?.endsWith('the site has cancelled'));
  for (const n of deaths) await moveWithDeathAt(n + 1);
  console.log(`a move from a site that is down: ${deaths.length} deaths at ${points.length} points, 0 lost, 0 doubled`);
}

/** Promises move while sites and workers fail together. A run follows from its seed. */
export async function moveAmidFaults(runs: readonly number[]): Promise<void> {
  const sum = { crashes: 0, siteFaults: 0, moved: 0, stayed: 0, kept: 0 };
  for (const seed of runs) {
    const world = await createDownWorld(20 + seed);
    try {
      const { db } = world.database;
      const ids: string[] = [];
      for (let n = 0; n < PROMISES; n++) ids.push(await askForQueued(world, `promise-${n}`));
      await world.until('it is suspended', isSuspended(world));
      const faults: SiteFaults = { timeouts: 0.2, outages: 0.1, count: 0 };
      const visit = (point: string) => {
        if (world.random.uniform() >= (point.endsWith('a commit') ? 0.02 : 0.15)) return;
        sum.crashes++;
        throw new Crash(point);
      };
      const isOver = async () => (await db.execution.count({ where: { settledAt: null } })) === 0;
      await live(world, mortal(world, visit, faults), isOver);
      for (const id of ids) {
        const jobs = [...world.siteIds.keys()].flatMap((site) => jobsOf(world, site, id));
        const started = jobs.filter(({ startAt }) => startAt !== null);
        expect(started.length, `seed ${seed}: jobs that did work`).toBeLessThanOrEqual(1);
        const isMoved = (await findExecution(db, id))?.siteId === world.siteIds.get('west');
        if (isMoved) sum.moved++;
        else sum.stayed++;
        if ((await findReservationOf(db, id))?.state === 'KEPT') sum.kept++;
      }
      const { lost, leftovers, undecided } = await judge(world);
      expect({ lost, leftovers, undecided }, `seed ${seed}`).toEqual({ lost: [], leftovers: [], undecided: [] });
      sum.siteFaults += faults.count;
    } finally {
      await world.close();
    }
  }
  expect(sum.crashes).toBeGreaterThan(0);
  expect(sum.moved).toBeGreaterThan(0);
  console.log(
    `moves from sites that are down: ${runs.length} runs, ${sum.crashes} crashes, ${sum.siteFaults} faults of sites, ` +
      `${sum.moved} promises moved, ${sum.stayed} stayed, ${sum.kept} kept, 0 lost, 0 doubled, 0 left holding processors`,
  );
}

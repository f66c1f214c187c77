import { expect } from 'vitest';
import { findExecution } from '../../../src/store/executions.ts';
import { listSubmissions } from '../../../src/store/submissions.ts';
import { jobsOf } from './down-world.ts';
import { Crash, type SiteFaults } from './faults.ts';
import { askForStuck, createStuckWorld } from './finish-world.ts';
import { live, mortal } from './mortal-worker.ts';
import { judge } from './witness.ts';

const PROMISES = 4;

/** One job that is moved for its deadline, whose worker dies at the visit of that number; the points until it is. */
async function moveWithDeathAt(death: number): Promise<string[]> {
  const { world, id } = await createStuckWorld(1);
  try {
    const { db } = world.database;
    await world.until(
      'it is taken to be down',
      async () => (await db.site.count({ where: { state: 'SUSPENDED' } })) > 0,
    );
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
    expect(await findExecution(db, id), where).toMatchObject({ outcome: 'COMPLETED', finishKept: true });
    // A death between an intent and the call leaves an attempt of which nothing is at the site.
    const attempts = (await listSubmissions(db, id)).filter(({ state }) => state !== 'ABSENT');
    expect(attempts, where).toMatchObject([{ state: 'WITHDRAWN' }, { state: 'ACCEPTED' }]);
    expect(jobsOf(world, 'west', id), where).toMatchObject([{ outcome: 'COMPLETED' }]);
    const { lost, leftovers, undecided } = await judge(world);
    expect({ lost, leftovers, undecided }, where).toEqual({ lost: [], leftovers: [], undecided: [] });
    return visited;
  } finally {
    await world.close();
  }
}

/**
 * A move for a deadline once undisturbed, and again with a death at every `step`th point and where the site cancels.
 */
export async function finishWithDeaths(step: number): Promise<void> {
  const points = await moveWithDeathAt(0);
  for (const point of ['before a commit', 'after a commit', 'after the site has cancelled']) {
    expect(points).toContain(point);
  }
  const deaths = [...points.keys()].filter((n) => n % step === 0 || points[n]?.endsWith('the site has cancelled'));
  for (const n of deaths) await moveWithDeathAt(n + 1);
  console.log(`a move for a deadline: ${deaths.length} deaths at ${points.length} points, 0 lost, 0 doubled`);
}

/** Jobs are moved for their deadlines while sites and workers fail together. A run follows from its seed. */
export async function finishAmidFaults(runs: readonly number[]): Promise<void> {
  const sum = { crashes: 0, siteFaults: 0, moved: 0, kept: 0 };
  for (const seed of runs) {
    const { world, id } = await createStuckWorld(30 + seed);
    try {
      const { db } = world.database;
      const ids = [id];
      for (let n = 1; n < PROMISES; n++) ids.push(await askForStuck(world, `finish-${n}`));
      const faults: SiteFaults = { timeouts: 0.2, outages: 0.1, count: 0 };
      const visit = (point: string) => {
        if (world.random.uniform() >= (point.endsWith('a commit') ? 0.02 : 0.15)) return;
        sum.crashes++;
        throw new Crash(point);
      };
      const isOver = async () => (await db.execution.count({ where: { settledAt: null } })) === 0;
      await live(world, mortal(world, visit, faults), isOver);
      for (const one of ids) {
        const jobs = [...world.siteIds.keys()].flatMap((site) => jobsOf(world, site, one));
        expect(jobs.filter(({ startAt }) => startAt !== null).length, `seed ${seed}`).toBeLessThanOrEqual(1);
        const row = await findExecution(db, one);
        if ((row?.finishMoves ?? 0) > 0) sum.moved++;
        if (row?.finishKept) sum.kept++;
        expect(row?.finishMoves, `seed ${seed}`).toBeLessThanOrEqual(3);
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
    `moves for deadlines: ${runs.length} runs, ${sum.crashes} crashes, ${sum.siteFaults} faults of sites, ` +
      `${sum.moved} moved, ${sum.kept} kept, 0 lost, 0 doubled, 0 left holding processors`,
  );
}

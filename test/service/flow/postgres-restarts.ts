import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import { isDatabaseAway } from '../../../src/store/database-away.ts';
import { startOwnPostgres } from '../own-postgres.ts';
import { Crew, createStormyWorld, untilObserved } from './storm.ts';

/** PostgreSQL crashes and shuts down so many times under two workers; the last time only a newcomer is left. */
export async function surviveRestarts(restarts: number): Promise<void> {
  const postgres = await startOwnPostgres();
  const world = await createStormyWorld({ scale: 30, stores: postgres.stores });
  const crew = new Crew(world, 2);
  try {
    await untilObserved(world);
    const observedAt = async () => (await world.site('east')).observedAt ?? 0;
    for (let n = 0; n < restarts; n++) {
      const before = await observedAt();
      await postgres.stop(n % 2 === 0 ? 'SIGKILL' : 'SIGINT');
      // Everybody but a newcomer has gone, so that only one who waited for the database can go on.
      const isLast = n === restarts - 1;
      if (isLast) {
        crew.dismiss();
        for (let member = 0; member < 2; member++) await crew.kill(member);
        world.spawnWorker();
      }
      await sleep(1000 * (n % 4) + (isLast ? 5000 : 0));
      await postgres.startAgain();
      await world.until('the sites are observed again', () => isAbove(observedAt, before));
    }
    console.log(`PostgreSQL restarted ${restarts} times, by which ${crew.died} workers died`);
    expect(crew.died).toBe(0);
  } finally {
    crew.dismiss();
    await world.close();
  }
}

async function isAbove(read: () => Promise<number>, limit: number): Promise<boolean> {
  try {
    return (await read()) > limit;
  } catch (error) {
    if (isDatabaseAway(error)) return false;
    throw error;
  }
}

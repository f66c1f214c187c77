import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { adapters } from '../../../adapters/index.ts';
import { PromiseRefused } from '../../../src/commands/promise-refused.ts';
import { reserve } from '../../../src/commands/reserve.ts';
import { submitJob } from '../../../src/commands/submit-job.ts';
import { listSites } from '../../../src/store/sites.ts';
import { hasRedis, startTestRedis, type TestRedis } from '../redis.ts';
import { createWorld, type World } from './world.ts';

const KILLS = 20;
const JOBS = 120;
const RESERVATIONS = 30;

/**
 * Every worker is killed with SIGKILL again and again while jobs and reservations run, on sites that swallow a fifth of their
 * replies and whose accounting lags. The sites' own journals are the witness: no native job twice, none forgotten.
 */
describe.each(['PostgreSQL', 'Redis'])('with queues on %s', (backend) => {
  const here = test.skipIf(backend === 'Redis' && !hasRedis);
  let world: World;
  let redis: TestRedis | null = null;

  beforeAll(async () => {
    redis = backend === 'Redis' && hasRedis ? await startTestRedis() : null;
    world = await createWorld({
      scale: 300,
      settings: { staleAfterSeconds: 6 * 3600 },
      ...(redis && { redisUrl: redis.url }),
      faults: { seed: 11, dropReplies: 0.2, accountingLagSeconds: 120 },
      sites: [
        {
          name: 'east',
          processors: 512,
          policy: 'easy',
          workload: { generated: { seed: 5, load: 0.3 } },
          warmDays: 10,
        },
        {
          name: 'west',
          processors: 512,
          policy: 'fcfs',
          workload: { generated: { seed: 6, load: 0.3 } },
          warmDays: 10,
        },
      ],
    });
  });
  afterAll(async () => {
    await world.close();
    await redis?.stop();
  });

  here('no native job is lost and none exists twice', { timeout: 280_000 }, async () => {
    const workers = [world.spawnWorker(), world.spawnWorker()];
    await world.until('both sites were observed', async () => {
      const sites = await Promise.all(['east', 'west'].map((name) => world.site(name)));
      return sites.every(({ observedAt, historySince }) => observedAt !== null && historySince !== null);
    });

    let kills = 0;
    const killing = (async () => {
      for (; kills < KILLS; kills++) {
        await sleep(2500);
        const victim = workers[kills % 2];
        if (victim) {
          const gone = once(victim, 'exit');
          victim.kill('SIGKILL');
          await gone;
        }
        workers[kills % 2] = world.spawnWorker();
        if (backend === 'Redis' && kills % 7 === 3) await redis?.crashAndRestart();
      }
    })();

    const asked = await askForWork(world);
    await killing;
    await world.until('everything is settled', () => everythingSettled(world), 200);

    const executions = await world.stores.database.db.execution.findMany();
    const native = ['east', 'west'].flatMap((name) => world.nativeJobs(name));
    const perExecution = new Map<string, number>();
    for (const { key } of native) {
      const id = key.split('-')[1] ?? '';
      perExecution.set(id, (perExecution.get(id) ?? 0) + 1);
    }
    const duplicated = [...perExecution.values()].filter((count) => count > 1).length;
    const lost = executions.filter(({ outcome }) => outcome === null || outcome === 'LOST').length;
    const leftovers = await countLeftovers(world);
    console.log(
      `${backend}: ${kills} kills, ${asked.jobs} jobs, ${asked.reservations} reservations (${asked.refused} refused), ` +
        `${native.length} native jobs, ${lost} lost, ${duplicated} duplicated, ${leftovers} left holding processors`,
    );
    expect(executions).toHaveLength(asked.jobs + asked.reservations);
    expect(executions.every(({ state }) => state === 'ENDED')).toBe(true);
    expect({ lost, duplicated, leftovers }).toEqual({ lost: 0, duplicated: 0, leftovers: 0 });
    expect(native.length).toBeGreaterThanOrEqual(asked.jobs);
    const completed = executions.filter(({ outcome }) => outcome === 'COMPLETED');
    expect(completed.every(({ id }) => perExecution.get(id.replaceAll('-', '')) === 1)).toBe(true);
  });
});

async function askForWork(world: World): Promise<{ jobs: number; reservations: number; refused: number }> {
  const work = { arguments: [], queue: null, siteIds: [], idempotencyKey: null, walltimeSeconds: 1800 };
  let reservations = 0;
  let refused = 0;
  for (let n = 0; n < JOBS; n++) {
    const script = `#!/bin/sh\nsleep ${60 + 10 * n}\n`;
    await submitJob(world.commands, world.principal, {
      ...work,
      name: `job-${n}`,
      script,
      processors: 1 + (n % 8),
      deadlineAt: null,
    });
    if (n % 4 === 1 && n / 4 < RESERVATIONS) {
      const startAt = Math.round(world.clock.now() + 3600 + 60 * n);
      const terms = { startAt, windowOpensAt: null, mode: 'HOLD', probability: 0.6, ifMissed: 'CANCEL' } as const;
      const wish = {
        ...work,
        ...terms,
        name: `reservation-${n}`,
        script,
        processors: 4,
        maxPaddingProcessorSeconds: null,
      };
      try {
        await reserve(world.commands, world.principal, wish);
        reservations++;
      } catch (error) {
        if (!(error instanceof PromiseRefused)) throw error;
        refused++;
      }
    }
    await sleep(400);
  }
  return { jobs: JOBS, reservations, refused };
}

async function everythingSettled(world: World): Promise<boolean> {
  return (await world.stores.database.db.execution.count({ where: { settledAt: null } })) === 0;
}

/** Native jobs of ours that still wait or run at a site. */
async function countLeftovers(world: World): Promise<number> {
  let count = 0;
  for (const site of await listSites(world.stores.database.db)) {
    const adapter = adapters.connect(site.adapter, site.configuration);
    const { waiting, running } = await adapter.snapshot();
    count += [...waiting, ...running].filter(({ key }) => key !== null).length;
    await adapter.close();
  }
  return count;
}

import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import type { SiteAdapter } from '../../../src/domain/site-adapter.ts';
import { submissionKey } from '../../../src/domain/submission.ts';
import { toDate } from '../../../src/store/moments.ts';
import { keepScript } from '../../../src/store/scripts.ts';
import { createSteppedWorld, type SteppedWorld } from './stepped-world.ts';

const SITE = 'busy';
const PROCESSORS = 64;
const OBSERVE_SECONDS = 60;
const MINUTES = 3;

/** Makes executions that their site has accepted: the first runs, the others wait behind it. */
async function track(world: SteppedWorld, jobs: number): Promise<void> {
  const site = world.site(SITE);
  const siteId = world.siteIds.get(SITE) ?? '';
  const now = toDate(world.clock.now());
  const work = { name: 'tracked', script: '#!/bin/sh\nsleep 50000\n', arguments: [], processors: PROCESSORS };
  const { script, ...ran } = work;
  const scriptHash = await keepScript(world.database.db, script);
  const rows = Array.from({ length: jobs }, () => {
    const id = randomUUID();
    const accepted = site.submit({ ...work, walltimeSeconds: 60_000, queue: null }, submissionKey(id, 1));
    return {
      ...ran,
      scriptHash,
      id,
      tenantId: world.principal.tenantId,
      principalId: world.principal.id,
      requestId: 'test',
      state: 'QUEUED' as const,
      walltimeSeconds: 60_000,
      siteId,
      nativeId: accepted.nativeId,
      nativeSubmittedAt: toDate(accepted.submittedAt),
      attempts: 1,
      createdAt: now,
      updatedAt: now,
    };
  });
  await world.database.db.execution.createMany({ data: rows });
}

/** Calls that the site gets in some minutes, by verb, while the service follows so many jobs there. */
async function callsWhileTracking(jobs: number): Promise<Record<string, number>> {
  const world = await createSteppedWorld({
    seed: 1,
    settings: { observeIntervalSeconds: OBSERVE_SECONDS, historyIntervalSeconds: 300 },
    sites: [{ name: SITE, processors: PROCESSORS, policy: 'fcfs', workload: QUIET, warmDays: 0 }],
  });
  try {
    await track(world, jobs);
    const calls: Record<string, number> = {};
    const worker = world.worker({ adapter: (adapter) => counting(adapter, calls) });
    const siteHasSeenThem = async () =>
      (await world.database.db.execution.count({ where: { state: 'RUNNING' } })) === 1;
    await world.until('they are followed', siteHasSeenThem, worker);
    for (const verb of Object.keys(calls)) delete calls[verb];
    const endsAt = world.clock.now() + MINUTES * 60;
    await world.until('the minutes have passed', async () => world.clock.now() >= endsAt, worker);
    return calls;
  } finally {
    await world.close();
  }
}

/** The same adapter, which notes how often each verb is called. */
function counting(adapter: SiteAdapter, calls: Record<string, number>): SiteAdapter {
  return new Proxy(adapter, {
    get(target, property, receiver) {
      const value = Reflect.get(target, property, receiver);
      if (typeof value !== 'function') return value;
      return (...args: unknown[]) => {
        calls[String(property)] = (calls[String(property)] ?? 0) + 1;
        return Reflect.apply(value, target, args);
      };
    },
  });
}

const QUIET = { generated: { seed: 1, load: 0.0001 } };

test('10,000 tracked jobs cost a site no more calls than 10', async () => {
  const few = await callsWhileTracking(10);
  const intervals = (MINUTES * 60) / OBSERVE_SECONDS;
  expect(few.snapshot).toBeGreaterThanOrEqual(intervals - 1);
  expect(few.snapshot).toBeLessThanOrEqual(intervals + 1);
  expect(await callsWhileTracking(10_000)).toEqual(few);
});

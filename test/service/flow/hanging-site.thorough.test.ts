import { afterEach, expect, test } from 'vitest';
import { submitJob } from '../../../src/commands/submit-job.ts';
import type { SiteAdapter } from '../../../src/domain/site-adapter.ts';
import { SHORT_WORK } from './usual-work.ts';
import { createWorld, type World } from './world.ts';

let world: World | null = null;
afterEach(async () => {
  await world?.close();
  world = null;
});

test('a site that never answers keeps neither other sites nor their jobs waiting, and each of its turns has an end', {
  timeout: 180_000,
}, async () => {
  const sick = new Set<string>();
  const asked = new Map<string, number>();
  const made = await createWorld({
    scale: 60,
    sites: ['well', 'sick'].map((name) => ({
      name,
      processors: 256,
      policy: 'easy' as const,
      workload: { generated: { seed: 5, load: 0.01 } },
      warmDays: 1,
    })),
    settings: { leaseMilliseconds: 1500, callMilliseconds: 3000, stepMilliseconds: 6000, concurrency: 8 },
  });
  world = made;
  const wells = await made.site('well');
  const sicks = await made.site('sick');
  const worker = await made.startWorker((adapter, site) => (site === 'sick' ? hanging(adapter, sick, asked) : adapter));
  const seen = async () => (await made.stores.database.db.site.count({ where: { observedAt: null } })) === 0;
  await made.until('both sites were seen', seen);
  sick.add('sick');
  const submit = (name: string, siteIds: string[]) =>
    submitJob(made.commands, made.principal, { ...SHORT_WORK, name, siteIds, deadlineAt: null });
  for (let n = 0; n < 40; n++) await submit(`sick-${n}`, [sicks.id]);
  await made.until('the sick site has been asked', async () => (asked.get('submit') ?? 0) > 0);
  const askedAt = performance.now();
  const ids: string[] = [];
  for (let n = 0; n < 6; n++) ids.push((await submit(`well-${n}`, [wells.id])).executionId);
  const looksBefore = (await made.site('well')).observedAt ?? 0;
  await made.until('the jobs of the other site are queued there', async () => {
    const found = await Promise.all(ids.map((id) => made.execution(id)));
    return found.every(({ nativeId }) => nativeId !== null);
  });
  const waitedSeconds = (performance.now() - askedAt) / 1000;
  await made.until(
    'the other site is looked at',
    async () => ((await made.site('well')).observedAt ?? 0) > looksBefore,
  );
  console.log(`jobs at a healthy site beside a hanging one: queued after ${waitedSeconds.toFixed(1)} s of the wall`);
  // One call of its kind for the whole site, a few for its jobs, however many wait; and the turn was not given out
  // again meanwhile.
  expect(asked.get('snapshot') ?? 0).toBeLessThanOrEqual(1);
  expect(asked.get('submit')).toBeLessThanOrEqual(3);
  await made.until('its fault is told', async () => (await made.site('sick')).fault !== null);
  expect(worker.pulse.isMoving).toBe(true);
});

/** A site that, once it is sick, takes every call and never comes back. */
function hanging(adapter: SiteAdapter, sick: ReadonlySet<string>, asked: Map<string, number>): SiteAdapter {
  return new Proxy(adapter, {
    get(target, verb: keyof SiteAdapter) {
      const own = target[verb];
      if (typeof own !== 'function') return own;
      return (...given: never[]) => {
        if (sick.size === 0 || verb === 'close') return (own as (...given: never[]) => unknown).apply(target, given);
        asked.set(verb, (asked.get(verb) ?? 0) + 1);
        return new Promise(() => undefined);
      };
    },
  });
}

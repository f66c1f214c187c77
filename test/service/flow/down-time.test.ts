import { afterEach, expect, test } from 'vitest';
import { drainSite } from '../../../src/commands/drain-site.ts';
import { reserve } from '../../../src/commands/reserve.ts';
import { submitJob } from '../../../src/commands/submit-job.ts';
import { CallerError, Unavailable } from '../../../src/domain/failures.ts';
import type { FlowContext } from '../../../src/flow/context.ts';
import { findExecution } from '../../../src/store/executions.ts';
import { findReservation } from '../../../src/store/reservations.ts';
import { downEvidenceOf, findSiteByName, type SiteRow } from '../../../src/store/sites.ts';
import { createSteppedWorld, type SteppedWorld } from './stepped-world.ts';
import { createIdleWorld, wish as usualWish, WORK } from './usual-work.ts';
import { CLEAN, judge } from './witness.ts';

let world: SteppedWorld;
afterEach(() => world.close());

const wish = (name: string, siteIds: readonly string[], leadSeconds?: number) =>
  usualWish(world.clock, name, siteIds, leadSeconds);

async function site(name: string): Promise<SiteRow> {
  const row = await findSiteByName(world.database.db, name);
  if (!row) throw new Error(`no site ${name}`);
  return row;
}

const isSuspended = (name: string) => async () => (await site(name)).state === 'SUSPENDED';
const isActive = (name: string) => async () => (await site(name)).state === 'ACTIVE';

/** A worker that cannot reach a site while `isAway` says so. */
function workerWithout(away: string, isAway: () => boolean): FlowContext {
  return world.worker({
    adapter: (adapter, name) => ({
      ...adapter,
      async snapshot() {
        if (name === away && isAway()) throw new Unavailable(`${name} does not answer`, 'connection refused');
        return adapter.snapshot();
      },
    }),
  });
}

test('a site that does not answer is suspended with its evidence; promises there move, new ones are refused, until it is back', async () => {
  world = await createIdleWorld(61, 'east', 'west');
  const { commands, principal, siteIds } = world;
  const [east = '', west = ''] = siteIds.values();
  const { reservationId } = await reserve(commands, principal, wish('movable', []));
  const promised = await findReservation(world.database.db, reservationId);
  const executionId = promised?.executionId ?? '';
  const first = (await findExecution(world.database.db, executionId))?.siteId === east ? 'east' : 'west';
  const second = first === 'east' ? 'west' : 'east';
  const pinned = await reserve(commands, principal, wish('pinned', [siteIds.get(first) ?? '']));

  let away = true;
  const worker = workerWithout(first, () => away);
  await world.until('it is suspended', isSuspended(first), worker);
  const down = await site(first);
  expect(down.suspendedAt).not.toBeNull();
  expect(downEvidenceOf(down)).toMatchObject([
    { sign: 'UNREACHABLE', explanation: expect.stringMatching(/: UNREACHABLE: the site cannot be reached$/) },
  ]);

  const only = [siteIds.get(first) ?? ''];
  const refused = await reserve(commands, principal, wish('late', only)).catch((error: unknown) => error);
  expect(refused).toBeInstanceOf(CallerError);
  expect(refused).toMatchObject({ code: 'SUSPENDED_SITE', message: expect.stringContaining(first) });

  const movedTo = async () => (await findExecution(world.database.db, executionId))?.siteId;
  await world.until('the promise has moved', async () => (await movedTo()) === siteIds.get(second), worker);
  expect((await findExecution(world.database.db, executionId))?.reason).toMatch(/moved to .* taken to be down/);
  // A job, unlike a promise, may wait for the site.
  const { executionId: waiting } = await submitJob(commands, principal, {
    ...WORK,
    name: 'job',
    siteIds: only,
    deadlineAt: null,
  });

  away = false;
  await world.until('it is active again', isActive(first), worker);
  const up = await site(first);
  expect({ suspendedAt: up.suspendedAt, evidence: downEvidenceOf(up) }).toEqual({ suspendedAt: null, evidence: [] });
  await world.until('everything is settled', async () => {
    return (await world.database.db.execution.count({ where: { settledAt: null } })) === 0;
  });
  expect((await findReservation(world.database.db, reservationId))?.state).toBe('KEPT');
  expect((await findReservation(world.database.db, pinned.reservationId))?.state).toBe('KEPT');
  expect((await findExecution(world.database.db, waiting))?.outcome).toBe('COMPLETED');
  expect([east, west]).toContain((await findExecution(world.database.db, executionId))?.siteId);
  expect(await judge(world)).toMatchObject(CLEAN);
});

test('a site where jobs wait and none starts is suspended, one that drains stays so, and both take work again', async () => {
  const busy = (seed: number) => ({ generated: { seed, load: 0.9 } });
  const outages = [
    { kind: 'drain', afterSeconds: 3600 },
    { kind: 'resume', afterSeconds: 30 * 3600 },
  ] as const;
  world = await createSteppedWorld({
    seed: 2,
    settings: { observeIntervalSeconds: 1800, historyIntervalSeconds: 1800 },
    sites: [
      { name: 'east', processors: 64, policy: 'easy', workload: busy(63), warmDays: 20, outages },
      { name: 'west', processors: 64, policy: 'easy', workload: busy(64), warmDays: 20, outages },
    ],
  });
  const { commands, principal } = world;
  await drainSite(commands, principal, { siteId: world.siteIds.get('west') ?? '', drain: true, idempotencyKey: null });
  await world.until('it is suspended', isSuspended('east'));
  expect(downEvidenceOf(await site('east')).map(({ sign }) => sign)).toContain('NO_STARTS');
  expect((await site('west')).state).toBe('DRAINING');
  await world.until('it is active again', isActive('east'));
  await drainSite(commands, principal, { siteId: world.siteIds.get('west') ?? '', drain: false, idempotencyKey: null });
  await world.until('the other is active, too', isActive('west'));
});

test('a site that is drained while a promise is being made there makes none', async () => {
  world = await createSteppedWorld({
    seed: 3,
    sites: [
      { name: 'east', processors: 64, policy: 'easy', workload: { generated: { seed: 65, load: 0.02 } }, warmDays: 40 },
    ],
  });
  const { commands, principal } = world;
  const [siteId = ''] = world.siteIds.values();
  const draining = {
    ...commands,
    forecaster: {
      ...commands.forecaster,
      async offerReservation(...question: Parameters<typeof commands.forecaster.offerReservation>) {
        await drainSite(commands, principal, { siteId, drain: true, idempotencyKey: null });
        return commands.forecaster.offerReservation(...question);
      },
    },
  };
  const refused = await reserve(draining, principal, wish('raced', [])).catch((error: unknown) => error);
  expect(refused).toMatchObject({ code: 'SITE_CHANGED', message: expect.stringContaining('east') });
  expect(await world.database.db.reservation.count()).toBe(0);
});

import { afterEach, expect, test } from 'vitest';
import { dryRunPlan } from '../../../src/commands/dry-run-plan.ts';
import { forecastWait, forecastWaits } from '../../../src/commands/forecast-wait.ts';
import { gatherJointOffer } from '../../../src/commands/offers/co-allocation-offers.ts';
import { reserve } from '../../../src/commands/reserve.ts';
import { flatRule } from '../../../src/domain/co-allocation.ts';
import type { MaintenanceWindow, SiteFacts } from '../../../src/domain/site.ts';
import type { FlowContext } from '../../../src/flow/context.ts';
import { findExecution } from '../../../src/store/executions.ts';
import { findReservation } from '../../../src/store/reservations.ts';
import { findSiteByName, maintenanceOf } from '../../../src/store/sites.ts';
import { askForQueued, createDownWorld } from './down-world.ts';
import type { SteppedWorld } from './stepped-world.ts';
import { createIdleWorld, wish as usualWish } from './usual-work.ts';
import { CLEAN, judge } from './witness.ts';

let world: SteppedWorld;
afterEach(() => world.close());

const LEAD_SECONDS = 3 * 3600;
const wish = (name: string, siteIds: readonly string[]) => usualWish(world.clock, name, siteIds, LEAD_SECONDS);

async function twoIdleSites(): Promise<void> {
  world = await createIdleWorld(61, 'east', 'west');
}

/** A worker to whom a site tells more facts. */
function workerTold(site: string, change: () => Partial<SiteFacts>): FlowContext {
  return world.worker({
    adapter: (adapter, name) => ({
      ...adapter,
      facts: async () => ({ ...(await adapter.facts()), ...(name === site ? change() : {}) }),
    }),
  });
}

const service = (startAt: number, seconds = 3600): MaintenanceWindow => {
  return { startAt, endAt: startAt + seconds, processors: null, reason: 'maintenance service' };
};
const execution = async (id: string) => findExecution(world.database.db, id);
const isTold = (name: string) => async () => {
  const site = await findSiteByName(world.database.db, name);
  return site !== null && maintenanceOf(site).length > 0;
};
const allSettled = async () => (await world.database.db.execution.count({ where: { settledAt: null } })) === 0;

test('a promise made before a maintenance was announced is moved; one that may go nowhere says so; none is made into it', async () => {
  await twoIdleSites();
  const { commands, principal, siteIds } = world;
  const { reservationId } = await reserve(commands, principal, wish('movable', []));
  const movable = (await findReservation(world.database.db, reservationId))?.executionId ?? '';
  const first = (await execution(movable))?.siteId === siteIds.get('east') ? 'east' : 'west';
  const second = first === 'east' ? 'west' : 'east';
  const only = [siteIds.get(first) ?? ''];
  const pinned = await reserve(commands, principal, wish('pinned', only));
  const pinnedId = (await findReservation(world.database.db, pinned.reservationId))?.executionId ?? '';

  const beginsAt = Math.round(world.clock.now() + LEAD_SECONDS + 600);
  const worker = workerTold(first, () => ({ maintenance: [service(beginsAt)] }));
  const movedTo = async () => (await execution(movable))?.siteId;
  await world.until('it has moved', async () => (await movedTo()) === siteIds.get(second), worker);
  expect((await execution(movable))?.reason).toMatch(/^moved to .*\(maintenance service\)/);
  await world.until(
    'it says so',
    async () => /maintenance service/.test((await execution(pinnedId))?.reason ?? ''),
    worker,
  );
  expect((await execution(pinnedId))?.reason).toMatch(/^no other site promises it, and /);
  const worth = async () => (await findReservation(world.database.db, pinned.reservationId))?.currentProbability;
  await world.until('it is worth nothing', async () => (await worth()) === 0, worker);

  const refused = { code: 'NO_ELIGIBLE_SITE', field: 'input.startAt' };
  await expect(reserve(commands, principal, wish('late', only))).rejects.toMatchObject(refused);
  const work = { name: 'a', script: ':', arguments: [] };
  const legs = [{ legId: 'a', ...work, processors: 4, walltimeSeconds: 1800, queue: null, siteIds: only }];
  const together = { legs, rule: flatRule('ALL', null, ['a']), startAt: beginsAt, probability: 0.6 };
  await expect(gatherJointOffer(commands, principal, together, world.clock.now())).rejects.toMatchObject({
    code: 'NO_ELIGIBLE_SITE',
  });

  await world.until('everything is settled', allSettled, worker);
  expect((await findReservation(world.database.db, reservationId))?.state).toBe('KEPT');
  expect(await judge(world)).toMatchObject(CLEAN);
});

test('a promise for after a maintenance is handed over when that is over', async () => {
  await twoIdleSites();
  const { commands, principal, siteIds } = world;
  const endsAt = Math.round(world.clock.now() + LEAD_SECONDS - 1800);
  const worker = workerTold('east', () => ({ maintenance: [service(endsAt - 3600)] }));
  await world.until('it is told', isTold('east'), worker);
  const { reservationId } = await reserve(commands, principal, wish('after', [siteIds.get('east') ?? '']));
  const promise = await findReservation(world.database.db, reservationId);
  expect((await execution(promise?.executionId ?? ''))?.submitAt).toBeGreaterThanOrEqual(endsAt);
  await world.until('everything is settled', allSettled, worker);
  expect((await findReservation(world.database.db, reservationId))?.state).toBe('KEPT');
});

test('forecasts and plans say which maintenance puts a job off, and until when', async () => {
  await twoIdleSites();
  const { commands, principal, siteIds } = world;
  const beginsAt = Math.round(world.clock.now() + LEAD_SECONDS);
  const window = service(beginsAt);
  const worker = workerTold('east', () => ({ maintenance: [window] }));
  await world.until('it is told', isTold('east'), worker);
  const leftSeconds = beginsAt - world.clock.now();
  const east = siteIds.get('east') ?? '';
  const size = { processors: 4, queue: null, user: null, predictor: null };
  const short = { ...size, walltimeSeconds: Math.floor(leftSeconds / 2) };
  const long = { ...size, walltimeSeconds: Math.ceil(leftSeconds) + 60 };
  expect(await forecastWait(commands, world.principal, east, short)).toMatchObject({ putOff: null });
  const held = { startAt: window.endAt, window };
  expect(await forecastWait(commands, world.principal, east, long)).toMatchObject({ putOff: held });
  const both = await forecastWaits(commands, world.principal, [], long);
  const putOffs = Object.fromEntries(both.map(({ site, putOff }) => [site.name, putOff]));
  expect(putOffs).toMatchObject({ east: held, west: null });
  expect(putOffs.east?.explanation).toMatch(
    /^it starts there at .* at the earliest: east has set all processors aside/,
  );
  const input = { ...long, siteIds: [east], deadlineAt: null };
  const { plan } = await dryRunPlan(commands, principal, input);
  expect(plan.chosen).toMatchObject({ putOff: held });
});

test('a job that waits for its promise in the queue of a site that announces a maintenance is withdrawn and moved', async () => {
  world = await createDownWorld(1);
  const id = await askForQueued(world, 'queued');
  const startAt = (await findReservationStart(id)) ?? 0;
  let isAnnounced = false;
  const worker = workerTold('east', () => ({ maintenance: isAnnounced ? [service(startAt + 60)] : [] }));
  await world.until('it is queued', async () => (await execution(id))?.state === 'QUEUED', worker);
  isAnnounced = true;
  const west = world.siteIds.get('west');
  await world.until('it has moved', async () => (await execution(id))?.siteId === west, worker);
  expect((await execution(id))?.reason).toMatch(/^moved to west: .*\(maintenance service\) and has given its job back/);
  await world.until('everything is settled', allSettled, worker);
  expect((await execution(id))?.outcome).toBe('COMPLETED');
});

async function findReservationStart(executionId: string): Promise<number | undefined> {
  const row = await world.database.db.reservation.findFirst({ where: { executionId } });
  return row ? row.startAt.getTime() / 1000 : undefined;
}

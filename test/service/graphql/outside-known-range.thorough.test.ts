import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { decodeId } from '../../../src/graphql/shared/global-id.ts';
import { type ApiWorld, addSite, createApiWorld, HOUR, moment, NOW, work } from './api-world.ts';
import { RESERVE } from './documents.ts';

/** Enough to be known by, and lived through in seconds. */
const HISTORY_DAYS = 5;
const OUTSIDE = 'outsideKnownRange { what value knownUpTo sinceAt followed explanation }';

let world: ApiWorld;
let grown: string;
beforeAll(async () => {
  world = await createApiWorld({}, { predictor: 'wait/gridcast', historyDays: HISTORY_DAYS });
  grown = await addSite(world.stores, 'grown', 64, {
    waitSeconds: 58,
    observedAt: NOW - 30,
    waiting: fortyJobs(),
    historyDays: HISTORY_DAYS,
  });
  for (const site of [grown, world.sites.quick]) {
    while ((await world.forecaster.stateOf(decodeId(site, 'Site', 'site'))).isLearning) await sleep(50);
  }
}, 300_000);
afterAll(() => world?.close());

/** Which came within the last quarter of an hour; before, there was never more than one. */
function fortyJobs() {
  return Array.from({ length: 40 }, (_, i) => {
    const job = { nativeId: `late-${i}`, key: null, user: null, queue: 'batch', processors: 16 };
    return { ...job, requestedWalltimeSeconds: 3600, submitAt: NOW - 900 + 20 * i };
  });
}

async function ask(query: string, variables: object) {
  const { data, errors } = await world.ask(world.tokens.workflow, query, { ...variables });
  expect(errors).toBeUndefined();
  return data;
}

test('a forecast says that its site has left the range it is known in; that of another site says nothing', async () => {
  const FORECAST = `query Forecast($siteId: ID!, $input: ForecastInput!) { forecast(siteId: $siteId, input: $input) { ${OUTSIDE} } }`;
  const input = { processors: 4, walltimeSeconds: 1800 };
  const { forecast } = await ask(FORECAST, { siteId: grown, input });
  expect(forecast.outsideKnownRange).toMatchObject({ what: expect.any(String), followed: false });
  expect(forecast.outsideKnownRange.value).toBeGreaterThan(2 * forecast.outsideKnownRange.knownUpTo);
  expect(forecast.outsideKnownRange.explanation).toMatch(/^the site is outside the range that its past is known in: /);
  expect((await ask(FORECAST, { siteId: world.sites.quick, input })).forecast.outsideKnownRange).toBeNull();
});

test('a plan says so, too', async () => {
  const PLAN = `query Plan($input: PlanInput!) {
    plan(input: $input) { chosen { explanation forecast { ${OUTSIDE} } } }
  }`;
  const { plan } = await ask(PLAN, { input: { processors: 4, walltimeSeconds: 1800, siteIds: [grown] } });
  expect(plan.chosen.explanation).toMatch(/; it is outside the range that its past is known in/);
  expect(plan.chosen.forecast.outsideKnownRange).toMatchObject({ followed: false });
});

test('nothing is promised there while too little is seen of it, and nothing is written down', async () => {
  const OFFER = `query Offer($input: ReserveInput!) {
    reservationOffer(input: $input) { kind withheld reason promisedProbability ${OUTSIDE} }
  }`;
  const input = { ...work, startAt: moment(NOW + 6 * HOUR), probability: 0.5, siteIds: [grown] };
  const { reservationOffer } = await ask(OFFER, { input });
  expect(reservationOffer).toMatchObject({ kind: 'REFUSAL', withheld: true, promisedProbability: 0 });
  expect(reservationOffer.outsideKnownRange).toMatchObject({ followed: false });
  const before = await world.countRows();
  const { reserve } = await ask(RESERVE, { input });
  expect(reserve.reservation).toBeNull();
  expect(reserve.userErrors).toMatchObject([
    { code: 'PROMISE_REFUSED', message: expect.stringMatching(/withheld .* outside the range/) },
  ]);
  expect(await world.countRows()).toEqual(before);
  const elsewhere = { ...input, siteIds: [world.sites.quick] };
  expect((await ask(OFFER, { input: elsewhere })).reservationOffer).toMatchObject({ kind: 'PROMISE', withheld: false });
});

import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { fromGlobalId } from '../../../src/graphql/shared/global-id.ts';
import { aimedProbability, startingMargin } from '../../../src/plan/aim.ts';
import { takeWakeUps } from '../../../src/store/outbox.ts';
import { savePastJobs } from '../past-jobs.ts';
import { type ApiWorld, createApiWorld, HOUR, moment, NOW, work } from './api-world.ts';
import { CANCEL_CO_ALLOCATION, CANCEL_JOB, CANCEL_RESERVATION, CO_ALLOCATE, RESERVE, SUBMIT } from './documents.ts';

let world: ApiWorld;
beforeAll(async () => {
  world = await createApiWorld();
});
afterAll(() => world.close());

const reservation = { ...work, startAt: moment(NOW + 6 * HOUR), probability: 0.9 };

async function reserve(input: object = reservation) {
  const { data } = await world.ask(world.tokens.workflow, RESERVE, { input });
  expect(data.reserve.userErrors).toEqual([]);
  return data.reserve.reservation;
}

/** Empties the outbox and tells what was in it. */
async function outbox() {
  const wakeUps = await world.stores.database.transaction((tx) => takeWakeUps(tx, 1000));
  return wakeUps.map(({ kind, wakeAt }) => ({ kind, wakeAt })).sort((a, b) => (a.kind < b.kind ? -1 : 1));
}

/** As after a turn: the jobs wait, for nothing in particular, and their wake-ups are gone. */
async function letWait(...globalIds: string[]) {
  await outbox();
  const ids = globalIds.map((id) => fromGlobalId(id)?.id ?? '');
  const waiting = await world.stores.database.db.execution.updateMany({
    where: { id: { in: ids } },
    data: { wakeAt: null },
  });
  expect(waiting.count).toBe(ids.length);
}

test('what was promised is in the way of what is asked for at its moment, and of nothing else', async () => {
  const whole = { processors: 32, siteIds: [world.sites.quick], startAt: moment(NOW + 30 * HOUR), probability: 0.6 };
  const made = await reserve({ ...reservation, ...whole });
  const { data } = await world.ask(world.tokens.workflow, RESERVE, { input: { ...reservation, ...whole } });
  expect(data.reserve).toMatchObject({
    reservation: null,
    bestOffer: { siteName: 'quick', probability: 0 },
    userErrors: [{ code: 'PROMISE_REFUSED' }],
  });
  await reserve({ ...reservation, ...whole, startAt: moment(NOW + 50 * HOUR) });
  await world.ask(world.tokens.workflow, CANCEL_RESERVATION, { input: { id: made.id } });
  const { data: again } = await world.ask(world.tokens.workflow, RESERVE, { input: { ...reservation, ...whole } });
  expect(again.reserve.userErrors).toEqual([]);
});

describe('submitJob', () => {
  test('writes the job and its wake-up down', async () => {
    await outbox();
    const before = await world.countRows();
    const { data, errors } = await world.ask(world.tokens.gateway, SUBMIT, {
      input: { ...work, siteIds: [world.sites.slow] },
    });
    expect(errors).toBeUndefined();
    expect(data.submitJob).toMatchObject({
      userErrors: [],
      job: { name: 'protein', state: 'REQUESTED', processors: 4, site: null, plan: null },
    });
    expect(await world.countRows()).toEqual({ ...before, execution: Number(before.execution) + 1, outbox: 1 });
    expect(await outbox()).toEqual([{ kind: 'EXECUTION', wakeAt: NOW }]);
  });

  test('may wait for a site that is out of sight', async () => {
    const { data } = await world.ask(world.tokens.gateway, SUBMIT, {
      input: { ...work, siteIds: [world.sites.stale] },
    });
    expect(data.submitJob.userErrors).toEqual([]);
  });
});

describe('plan', () => {
  const WORK_CHARGE = { neededProcessorSeconds: 2400, expectedPaddingProcessorSeconds: 0 };
  const PLAN = `query Plan($input: PlanInput!) {
    plan(input: $input) {
      chosen { site { name } responseSeconds }
      candidates { site { name } lostBecause explanation costProcessorSeconds queue processors walltimeSeconds submitAt
        charge { neededProcessorSeconds expectedPaddingProcessorSeconds } forecast { predictor sampleSize pointSeconds boundSeconds bound50: boundSeconds(probability: 0.5) stale ageSeconds
          probabilityToStartWithin(seconds: 600) } }
    }
  }`;

  test('answers why, for every site, and changes nothing', async () => {
    const before = await world.countRows();
    const input = { processors: 4, walltimeSeconds: 600 };
    const { data, errors } = await world.ask(world.tokens.gateway, PLAN, { input });
    expect(errors).toBeUndefined();
    expect(data.plan.chosen.site.name).toBe('quick');
    type Candidate = { site: { name: string }; forecast: Record<string, number> };
    // Of each site the first, in the queue that it goes to unasked.
    const candidates: Candidate[] = data.plan.candidates.toReversed();
    const byName = new Map(candidates.map((candidate) => [candidate.site.name, candidate]));
    expect(byName.get('slow')).toMatchObject({ lostBecause: 'SLOWER', queue: 'batch', costProcessorSeconds: 2400 });
    expect(byName.get('slow')).toMatchObject({ ...input, submitAt: moment(NOW), charge: WORK_CHARGE });
    expect(byName.get('stale')).toMatchObject({ lostBecause: 'STALE', forecast: null });
    const { forecast } = byName.get('quick') as Candidate;
    expect(forecast.predictor).toBe('wait/qbets');
    expect(forecast.bound50).toBeGreaterThan(150);
    expect(forecast.boundSeconds).toBeGreaterThan(Number(forecast.bound50));
    expect(forecast.boundSeconds).toBeLessThan(600);
    expect(forecast.probabilityToStartWithin).toBeGreaterThan(0.9);
    expect(await world.countRows()).toEqual(before);
  });

  test('tells a deadline that no site meets', async () => {
    const input = { processors: 4, walltimeSeconds: 600, deadlineAt: moment(NOW + 700) };
    const { data } = await world.ask(world.tokens.gateway, PLAN, { input });
    expect(data.plan.chosen).toBeNull();
    const reasons = data.plan.candidates.map(({ lostBecause }: { lostBecause: string }) => lostBecause);
    expect([...new Set(reasons)].sort()).toEqual(['MISSES_DEADLINE', 'STALE']);
  });
});

describe('forecast', () => {
  const FORECAST = `query Forecast($siteId: ID!, $input: ForecastInput!) {
    forecast(siteId: $siteId, input: $input) { predictor pointSeconds boundSeconds(probability: 0.9) observedAt madeAt stale }
  }`;

  test('asks the predictor that is named', async () => {
    const ask = (predictor: string | null) =>
      world.ask(world.tokens.gateway, FORECAST, {
        siteId: world.sites.slow,
        input: { processors: 2, walltimeSeconds: 600, predictor },
      });
    const decides = (await ask(null)).data.forecast;
    const mean = (await ask('baseline/mean')).data.forecast;
    expect(decides).toMatchObject({ predictor: 'wait/qbets', madeAt: moment(NOW), stale: false });
    expect(mean.predictor).toBe('baseline/mean');
    expect(mean.pointSeconds).toBeGreaterThan(6500);
    expect(mean.pointSeconds).toBeLessThan(7900);
    const { errors } = await ask('oracle');
    expect(errors?.[0]).toMatchObject({ extensions: { code: 'INVALID', field: 'input.predictor' } });
  });

  const RUNTIME =
    'runtime { predictor version madeAt sampleSize pointSeconds boundSeconds median: boundSeconds(probability: 0.5) }';

  test('says the same things of a wait and of a runtime', async () => {
    const input = { processors: 2, walltimeSeconds: 600 };
    const both = `query Both($siteId: ID!, $input: ForecastInput!) {
      forecast(siteId: $siteId, input: $input) { ...Said runtime { ...Said } }
    }
    fragment Said on Forecast {
      __typename predictor version madeAt observedAt ageSeconds stale sampleSize pointSeconds
      median: boundSeconds(probability: 0.5) inTime: probabilityWithin(seconds: 600)
    }`;
    const { data } = await world.ask(world.tokens.gateway, both, { siteId: world.sites.slow, input });
    const { runtime, ...wait } = data.forecast;
    expect(wait).toMatchObject({ __typename: 'WaitForecast', predictor: 'wait/qbets' });
    expect(runtime).toMatchObject({ __typename: 'RuntimeForecast', predictor: 'runtime/gridcast', inTime: 0.99 });
    expect(Object.keys(runtime)).toEqual(Object.keys(wait));
    expect([runtime.madeAt, runtime.observedAt, runtime.stale]).toEqual([wait.madeAt, wait.observedAt, wait.stale]);
  });

  test('tells beside the wait how long the job would run, one answer a site', async () => {
    const input = { processors: 2, walltimeSeconds: 600 };
    const one = `query One($siteId: ID!, $input: ForecastInput!) { forecast(siteId: $siteId, input: $input) { ${RUNTIME} } }`;
    const { data } = await world.ask(world.tokens.gateway, one, { siteId: world.sites.slow, input });
    const { runtime } = data.forecast;
    expect(runtime).toMatchObject({ predictor: 'runtime/gridcast', version: '7', madeAt: moment(NOW) });
    expect(runtime.sampleSize).toBeGreaterThan(100);
    expect(runtime.median).toBeLessThanOrEqual(runtime.boundSeconds);
    expect(runtime.boundSeconds).toBeLessThanOrEqual(600);
    expect(runtime.pointSeconds).toBeGreaterThan(0);
    const all = `query All($input: ForecastInput!) { forecasts(input: $input) { site { name } forecast { ${RUNTIME} } } }`;
    const answers = (await world.ask(world.tokens.gateway, all, { input })).data.forecasts;
    expect(answers.find(({ site }: { site: { name: string } }) => site.name === 'slow')?.forecast.runtime).toEqual(
      runtime,
    );
  });

  test('says what a person is told: about how long, and how probable it is that it starts at once', async () => {
    const ask = (site: string, run: string) =>
      world.ask(
        world.tokens.gateway,
        `query($siteId: ID!) { forecast(siteId: $siteId, input: { processors: 2, walltimeSeconds: 600 }) {
           atOnceProbability aboutSeconds${run} median: boundSeconds(probability: 0.5) } }`,
        { siteId: site },
      );
    const { atOnceProbability, aboutSeconds, median } = (await ask(world.sites.slow, '')).data.forecast;
    expect(atOnceProbability).toBeLessThan(0.1);
    expect(aboutSeconds).toBeGreaterThan(5000);
    expect(aboutSeconds).toBeLessThanOrEqual(median);
    expect((await ask(world.sites.slow, '(runSeconds: 1e9)')).data.forecast.aboutSeconds).toBe(median);
    expect((await ask(world.sites.slow, '(runSeconds: -1)')).errors?.[0]).toMatchObject({
      extensions: { code: 'INVALID', field: 'runSeconds' },
    });
  });

  test('a level that is none is refused for runtimes, too', async () => {
    const input = { processors: 2, walltimeSeconds: 600 };
    const query =
      'query($siteId: ID!, $input: ForecastInput!) { forecast(siteId: $siteId, input: $input) { runtime { boundSeconds(probability: 1) } } }';
    const { errors } = await world.ask(world.tokens.gateway, query, { siteId: world.sites.slow, input });
    expect(errors?.[0]).toMatchObject({ extensions: { code: 'INVALID', field: 'probability' } });
  });
});

describe('predictorScores', () => {
  test('say which quantity was forecast, waits first', async () => {
    const { db } = world.stores.database;
    const siteId = fromGlobalId(world.sites.slow)?.id ?? '';
    await savePastJobs(db, [{ siteId, submittedAt: NOW - 5 * HOUR, waitSeconds: 4000 }]);
    const [score] = await db.score.findMany({ where: { siteId } });
    const runtime = { ...score, quantity: 'runtime', predictor: 'runtime/gridcast', predicted: 100, actual: 130 };
    await db.score.create({ data: { ...runtime, id: randomUUID() } as never });
    const query =
      'query($siteId: ID) { predictorScores(siteId: $siteId) { quantity predictor count meanAbsoluteErrorSeconds } }';
    const { data } = await world.ask(world.tokens.admin, query, { siteId: world.sites.slow });
    expect(data.predictorScores).toEqual([
      { quantity: 'wait', predictor: 'wait/qbets', count: 1, meanAbsoluteErrorSeconds: 1000 },
      { quantity: 'runtime', predictor: 'runtime/gridcast', count: 1, meanAbsoluteErrorSeconds: 30 },
    ]);
  });
});

describe('reserve', () => {
  test('promises where it costs least, with plan and forecasts as made', async () => {
    await outbox();
    const before = await world.countRows();
    const promised = await reserve();
    expect(promised).toMatchObject({
      state: 'PROMISED',
      mode: 'HOLD',
      site: { name: 'quick' },
      coAllocation: null,
      charges: [],
      decidedAt: null,
      job: { state: 'HELD', submitAt: promised.submitAt, plan: { chosen: { site: { name: 'quick' } } } },
    });
    expect(promised.promisedProbability).toBeGreaterThanOrEqual(0.9);
    expect(promised.currentProbability).toBe(promised.promisedProbability);
    // The planner aims above the promise, by the margin of a site that has kept none yet.
    const aim = aimedProbability(0.9, startingMargin(0.9));
    const latest = promised.trajectory.findLast(({ probability }: { probability: number }) => probability >= aim);
    expect(latest.submitAt).toBe(promised.submitAt);
    expect(latest.probability).toBeGreaterThan(promised.promisedProbability);
    expect(promised.worstPaddingProcessorSeconds).toBe(4 * (latest.walltimeSeconds - work.walltimeSeconds));
    const lost = new Map(
      promised.job.plan.candidates.map((candidate: { site: { name: string }; lostBecause: string }) => [
        candidate.site.name,
        candidate,
      ]),
    );
    expect(lost.get('slow')).toMatchObject({ lostBecause: 'COSTLIER', forecast: { boundSeconds: expect.any(Number) } });
    expect(lost.get('stale')).toMatchObject({ lostBecause: 'STALE', forecast: null });
    const after = await world.countRows();
    expect(after).toEqual({
      ...before,
      execution: Number(before.execution) + 1,
      reservation: Number(before.reservation) + 1,
      plan: Number(before.plan) + 1,
      // At each of two sites the wait and the runtime.
      forecast: Number(before.forecast) + 4,
      outbox: 1,
    });
    expect(await outbox()).toEqual([{ kind: 'EXECUTION', wakeAt: NOW }]);
  });

  test('its plan tells the option that was chosen; one made before plans chose among options tells what it has', async () => {
    const promised = await reserve();
    const jobPlan = `query Job($id: ID!) { job(id: $id) { plan {
      chosen { site { name } processors walltimeSeconds submitAt charge { neededProcessorSeconds } costProcessorSeconds }
      candidates { site { name } processors } } } }`;
    const tellPlan = async () => (await world.ask(world.tokens.gateway, jobPlan, promised.job)).data.job.plan;
    const point = promised.trajectory.find(({ submitAt }: { submitAt: string }) => submitAt === promised.submitAt);
    expect((await tellPlan()).chosen).toMatchObject({
      processors: 4,
      walltimeSeconds: point.walltimeSeconds,
      submitAt: promised.submitAt,
      charge: { neededProcessorSeconds: 4 * work.walltimeSeconds },
    });
    const { db } = world.stores.database;
    const stored = await db.plan.findFirstOrThrow({ where: { executionId: fromGlobalId(promised.job.id)?.id ?? '' } });
    const own = new Set(['processors', 'walltimeSeconds', 'submitAt', 'charge']);
    const before = JSON.parse(JSON.stringify(stored.candidates, (key, value) => (own.has(key) ? undefined : value)));
    await db.plan.update({ where: { id: stored.id }, data: { candidates: before } });
    const { chosen, candidates } = await tellPlan();
    expect(chosen).toMatchObject({ site: { name: 'quick' }, processors: null, submitAt: null, charge: null });
    expect(chosen.costProcessorSeconds).toBeGreaterThanOrEqual(4 * work.walltimeSeconds);
    expect(candidates.map(({ processors }: { processors: number | null }) => processors)).toEqual([null, null, null]);
  });

  test('keeps to the cap on padding', async () => {
    const free = await reserve();
    const cap = 0.5 * free.worstPaddingProcessorSeconds;
    const { data } = await world.ask(world.tokens.workflow, RESERVE, {
      input: { ...reservation, maxPaddingProcessorSeconds: cap },
    });
    const field = 'input.maxPaddingProcessorSeconds';
    expect(data.reserve.userErrors).toMatchObject([{ code: 'PROMISE_REFUSED', field }]);
    expect(data.reserve.userErrors[0].message).toMatch(/with at most .* of padding: .* would do/);
    expect(data.reserve.bestOffer.probability).toBeLessThan(0.9);
  });

  test('costs at most three times the own work in expected padding unless its caller allows more', async () => {
    const short = { ...reservation, walltimeSeconds: 600, siteIds: [world.sites.slow] };
    const before = await world.countRows();
    const { data } = await world.ask(world.tokens.workflow, RESERVE, { input: short });
    const field = 'input.maxPaddingProcessorSeconds';
    expect(data.reserve.userErrors).toMatchObject([{ code: 'PADDING_TOO_HIGH', field }]);
    const [{ message }] = data.reserve.userErrors;
    expect(message).toMatch(/at most 3 times its own work, unless maxPaddingProcessorSeconds allows more/);
    expect(data.reserve.bestOffer.probability).toBeLessThan(0.9);
    expect(await world.countRows()).toEqual(before);
    const needed = Number(/a padding of (\d+) processor-seconds at most would do/.exec(message)?.[1]);
    const promised = await reserve({ ...short, maxPaddingProcessorSeconds: needed });
    expect(promised.worstPaddingProcessorSeconds).toBeLessThanOrEqual(needed);
    expect(promised.promisedProbability).toBeGreaterThanOrEqual(0.9);
  });

  test('is answered without being promised by reservationOffer', async () => {
    const before = await world.countRows();
    const OFFER = `query Offer($input: ReserveInput!) {
      reservationOffer(input: $input) { kind reason site { name } point { submitAt probability }
        charge { neededProcessorSeconds worstPaddingProcessorSeconds expectedPaddingProcessorSeconds } trajectory { probability }
        others { kind site { name } } }
    }`;
    const promise = (await world.ask(world.tokens.workflow, OFFER, { input: reservation })).data.reservationOffer;
    expect(promise).toMatchObject({
      kind: 'PROMISE',
      reason: null,
      site: { name: 'quick' },
      charge: { neededProcessorSeconds: 4 * 1800 },
      others: [{ kind: 'PROMISE', site: { name: 'slow' } }],
    });
    const { worstPaddingProcessorSeconds, expectedPaddingProcessorSeconds } = promise.charge;
    expect(expectedPaddingProcessorSeconds).toBeLessThan(worstPaddingProcessorSeconds);
    const refusal = await world.ask(world.tokens.workflow, OFFER, {
      input: { ...reservation, startAt: moment(NOW + 200) },
    });
    expect(refusal.data.reservationOffer).toMatchObject({ kind: 'REFUSAL', site: { name: 'quick' }, charge: null });
    expect(await world.countRows()).toEqual(before);
  });
});

describe('coAllocate', () => {
  const group = (rule: string, probability: number, more: object = {}) => ({
    rule,
    probability,
    startAt: moment(NOW + 12 * HOUR),
    legs: [
      { ...work, name: 'left' },
      { ...work, name: 'right' },
    ],
    ...more,
  });

  async function coAllocate(input: object) {
    const { data, errors } = await world.ask(world.tokens.workflow, CO_ALLOCATE, { input });
    expect(errors).toBeUndefined();
    expect(data.coAllocate.userErrors).toEqual([]);
    return data.coAllocate.coAllocation;
  }

  test('ALL promises the product, each leg at a site of its own, in one transaction', async () => {
    await outbox();
    const before = await world.countRows();
    const promised = await coAllocate(group('ALL', 0.8));
    expect(promised).toMatchObject({ rule: 'ALL', state: 'PENDING', probability: 0.8 });
    expect(promised.promisedProbability).toBeGreaterThanOrEqual(0.8);
    const legs = promised.legs as { site: { name: string }; coAllocation: { id: string }; job: { state: string } }[];
    expect(legs.map(({ site }) => site.name).sort()).toEqual(['quick', 'slow']);
    expect(legs.every(({ coAllocation, job }) => coAllocation.id === promised.id && job.state === 'HELD')).toBe(true);
    const after = await world.countRows();
    expect(after).toMatchObject({
      coAllocation: Number(before.coAllocation) + 1,
      reservation: Number(before.reservation) + 2,
      execution: Number(before.execution) + 2,
      plan: Number(before.plan) + 2,
    });
    expect(await outbox()).toEqual([
      { kind: 'CO_ALLOCATION', wakeAt: NOW + 12 * HOUR },
      { kind: 'EXECUTION', wakeAt: NOW },
      { kind: 'EXECUTION', wakeAt: NOW },
    ]);
  });

  test('ANY reaches what no single site does', async () => {
    const promised = await coAllocate(group('ANY', 0.995));
    expect(promised.promisedProbability).toBeGreaterThanOrEqual(0.995);
    expect(promised.legs).toHaveLength(2);
  });

  test('costs for each leg at most three times its work in expected padding unless its caller allows more', async () => {
    const sites = [world.sites.quick, world.sites.slow];
    const legs = sites.map((site, n) => ({ ...work, id: `leg${n}`, walltimeSeconds: 600, siteIds: [site] }));
    const before = await world.countRows();
    const BEST = `mutation Dear($input: CoAllocateInput!) {
      coAllocate(input: $input) { userErrors { code field message } bestOffer { probability } }
    }`;
    const ask = async (more: object) => {
      const input = group('ALL', 0.8, { legs: [legs[0], { ...legs[1], ...more }] });
      return (await world.ask(world.tokens.workflow, BEST, { input })).data.coAllocate;
    };
    const { userErrors, bestOffer } = await ask({});
    const field = 'input.legs[1].maxPaddingProcessorSeconds';
    expect(userErrors).toMatchObject([{ code: 'PADDING_TOO_HIGH', field }]);
    expect(userErrors[0].message).toMatch(/at most 3 times its own work, unless its maxPaddingProcessorSeconds allows/);
    expect(bestOffer.probability).toBeLessThan(0.8);
    const needed = Number(/at most (\d+) processor-seconds for leg leg1 would do/.exec(userErrors[0].message)?.[1]);
    const below = await ask({ maxPaddingProcessorSeconds: 1 });
    expect(below.userErrors).toMatchObject([{ code: 'PROMISE_REFUSED', field }]);
    const negative = await ask({ maxPaddingProcessorSeconds: -1 });
    expect(negative.userErrors).toMatchObject([{ code: 'INVALID', field }]);
    expect(await world.countRows()).toEqual(before);

    const allowed = [legs[0], { ...legs[1], maxPaddingProcessorSeconds: needed }];
    const promised = await coAllocate(group('ALL', 0.8, { legs: allowed }));
    expect(promised.promisedProbability).toBeGreaterThanOrEqual(0.8);
    const kept = await world.stores.database.db.reservation.findMany({
      where: { coAllocationId: fromGlobalId(promised.id)?.id ?? '', legId: 'leg1' },
    });
    expect(kept).toMatchObject([{ maxPaddingProcessorSeconds: needed }]);
    expect(kept[0]?.worstPaddingProcessorSeconds).toBeLessThanOrEqual(needed);
  });

  test('a nested rule is promised, kept as it was written and shown in words', async () => {
    const legs = ['left', 'right'].map((id) => ({ ...work, id }));
    const nestedRule = { rule: 'ALL', members: [{ leg: 'left' }, { rule: 'ANY', members: [{ leg: 'right' }] }] };
    const { id } = await coAllocate(group('ALL', 0.5, { rule: null, nestedRule, legs, ifLegMissed: 'REPLACE' }));
    const query = `query($id: ID!) { coAllocation(id: $id) { rule ruleText ifLegMissed reason legs { leg }
      nestedRule { rule members { leg rule atLeast members { leg } } } } }`;
    const { data } = await world.ask(world.tokens.workflow, query, { id });
    expect(data.coAllocation).toEqual({
      rule: 'ALL',
      ruleText: 'all of (left, any of (right))',
      ifLegMissed: 'REPLACE',
      reason: null,
      legs: [{ leg: 'left' }, { leg: 'right' }],
      nestedRule: {
        rule: 'ALL',
        members: [
          { leg: 'left', rule: null, atLeast: null, members: [] },
          { leg: null, rule: 'ANY', atLeast: null, members: [{ leg: 'right' }] },
        ],
      },
    });
  });

  test('legs keep to the sites they are allowed', async () => {
    const { slow, quick } = world.sites;
    const legs = [
      { ...work, name: 'left', siteIds: [slow] },
      { ...work, name: 'right', siteIds: [slow, quick] },
    ];
    const promised = await coAllocate(group('AT_LEAST', 0.5, { atLeast: 2, legs }));
    type Leg = { site: { name: string }; job: { name: string } };
    const places = Object.fromEntries(promised.legs.map(({ job, site }: Leg) => [job.name, site.name]));
    expect(places).toEqual({ left: 'slow', right: 'quick' });
  });

  test('cancelCoAllocation asks every leg and wakes the group', async () => {
    const { id, legs } = await coAllocate(group('ALL', 0.5));
    await letWait(...legs.map(({ job }: { job: { id: string } }) => job.id));
    const { data } = await world.ask(world.tokens.workflow, CANCEL_CO_ALLOCATION, { input: { id } });
    expect(data.cancelCoAllocation.userErrors).toEqual([]);
    for (const { job } of data.cancelCoAllocation.coAllocation.legs) expect(job.cancelRequestedAt).toBe(moment(NOW));
    expect((await outbox()).map(({ kind }) => kind)).toEqual(['CO_ALLOCATION', 'EXECUTION', 'EXECUTION']);
  });
});

describe('cancelling', () => {
  test('a job notes the wish and wakes it at once; asking again is no error and needs no other wake-up', async () => {
    const { data } = await world.ask(world.tokens.gateway, SUBMIT, { input: work });
    const { id } = data.submitJob.job;
    await letWait(id);
    for (const wakeUps of [[{ kind: 'EXECUTION', wakeAt: NOW }], []]) {
      const cancelled = await world.ask(world.tokens.gateway, CANCEL_JOB, { input: { id } });
      expect(cancelled.data.cancelJob).toMatchObject({ userErrors: [], job: { cancelRequestedAt: moment(NOW) } });
      expect(await outbox()).toEqual(wakeUps);
    }
  });

  test('a reservation asks its job and wakes it at once', async () => {
    const { id, job } = await reserve();
    const wrong = await world.ask(world.tokens.workflow, CANCEL_JOB, { input: { id: job.id } });
    expect(wrong.data.cancelJob.userErrors).toMatchObject([{ code: 'INVALID', field: 'input.id' }]);
    await letWait(job.id);
    const { data } = await world.ask(world.tokens.workflow, CANCEL_RESERVATION, { input: { id } });
    expect(data.cancelReservation).toMatchObject({
      userErrors: [],
      reservation: { job: { cancelRequestedAt: moment(NOW) } },
    });
    expect(await outbox()).toEqual([{ kind: 'EXECUTION', wakeAt: NOW }]);
  });

  test('what has ended cannot be cancelled, unless it was', async () => {
    const { data } = await world.ask(world.tokens.gateway, SUBMIT, { input: { ...work, name: 'ended' } });
    const { db } = world.stores.database;
    const endedAs = (outcome: 'COMPLETED' | 'CANCELLED') =>
      db.execution.updateMany({ where: { name: 'ended' }, data: { state: 'ENDED', outcome } });
    const cancel = () => world.ask(world.tokens.gateway, CANCEL_JOB, { input: { id: data.submitJob.job.id } });
    await endedAs('COMPLETED');
    const refused = (await cancel()).data.cancelJob;
    expect(refused.userErrors).toMatchObject([
      { code: 'ALREADY_ENDED', message: expect.stringContaining('COMPLETED') },
    ]);
    await endedAs('CANCELLED');
    expect((await cancel()).data.cancelJob.userErrors).toEqual([]);
  });
});

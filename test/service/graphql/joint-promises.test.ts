import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { savePastJobs } from '../past-jobs.ts';
import { type ApiWorld, addSite, createApiWorld, HOUR, moment, NOW, work } from './api-world.ts';

const CO_ALLOCATE = `mutation CoAllocate($input: CoAllocateInput!) {
  coAllocate(input: $input) {
    coAllocation {
      id ruleText promisedProbability pessimisticProbability pairedObservations
      legs { leg site { name } promisedProbability }
    }
    bestOffer { probability pessimisticProbability pairedObservations }
    userErrors { code field message }
  }
}`;

let world: ApiWorld;
/** Global ids of sites that all make the same promises; what became of those at the first three is known. */
let sites: Readonly<Record<'north' | 'south' | 'east' | 'west', string>>;

beforeAll(async () => {
  world = await createApiWorld();
  const add = (name: string) => addSite(world.stores, name, 128, { waitSeconds: 600, observedAt: NOW - 30 });
  sites = { north: await add('north'), south: await add('south'), east: await add('east'), west: await add('west') };
  const { db } = world.stores.database;
  const ids = new Map((await db.site.findMany()).map(({ name, id }) => [name, id]));
  // North and south have a common cause of delays, east has one of its own.
  const waits = (name: string, waitOf: (span: number) => number) =>
    Array.from({ length: 200 }, (_, span) => ({
      siteId: ids.get(name) ?? '',
      submittedAt: NOW - 9000 - span * 6 * HOUR,
      waitSeconds: waitOf(span),
    }));
  const common = (span: number) => ((span * 37) % 97) * 100;
  await savePastJobs(db, [
    ...waits('north', common),
    ...waits('south', (span) => common(span) + 50),
    ...waits('east', (span) => ((span * 53 + 11) % 89) * 100),
  ]);
});
afterAll(() => world.close());

const group = (rule: string, probability: number, more: object = {}) => ({
  rule,
  probability,
  startAt: moment(NOW + 12 * HOUR),
  legs: [
    { ...work, id: 'left' },
    { ...work, id: 'right' },
  ],
  ...more,
});

const legsAt = (left: string, right: string) => [
  { ...work, id: 'left', siteIds: [left] },
  { ...work, id: 'right', siteIds: [right] },
];

async function coAllocate(input: object) {
  const { data, errors } = await world.ask(world.tokens.workflow, CO_ALLOCATE, { input });
  expect(errors).toBeUndefined();
  return data.coAllocate;
}

async function promised(input: object) {
  const { coAllocation, bestOffer, userErrors } = await coAllocate(input);
  expect({ userErrors, bestOffer }).toEqual({ userErrors: [], bestOffer: null });
  return coAllocation;
}

describe('redundancy', () => {
  test('without it both of two legs are refused, with the best that one site each comes to', async () => {
    const before = await world.countRows();
    const { coAllocation, bestOffer, userErrors } = await coAllocate(group('ALL', 0.99));
    expect(coAllocation).toBeNull();
    expect(userErrors).toMatchObject([{ code: 'PROMISE_REFUSED', field: 'input.probability' }]);
    expect(bestOffer.probability).toBeCloseTo(0.98 * 0.98, 9);
    expect(userErrors[0].message).toContain(bestOffer.probability.toFixed(4));
    expect(bestOffer.pessimisticProbability).toBeLessThanOrEqual(bestOffer.probability);
    expect(await world.countRows()).toEqual(before);
  });

  test('with two sites a leg they are promised, each leg under its own name at sites of its own', async () => {
    const before = await world.countRows();
    const made = await promised(group('ALL', 0.99, { mostSitesPerLeg: 2 }));
    expect(made.promisedProbability).toBeGreaterThanOrEqual(0.99);
    expect(made.ruleText).toBe('all of (any of (left#1, left#2), any of (right#1, right#2))');
    const legs = made.legs as { leg: string; site: { name: string } }[];
    expect(legs.map(({ leg }) => leg).sort()).toEqual(['left#1', 'left#2', 'right#1', 'right#2']);
    expect(new Set(legs.map(({ site }) => site.name)).size).toBe(4);
    const after = await world.countRows();
    expect(after).toMatchObject({
      coAllocation: Number(before.coAllocation) + 1,
      execution: Number(before.execution) + 4,
      reservation: Number(before.reservation) + 4,
    });
  });

  test('it is not used where one site a leg is enough', async () => {
    const made = await promised(group('ALL', 0.9, { mostSitesPerLeg: 2 }));
    expect(made.ruleText).toBe('all of (left, right)');
  });

  test('a leg that one site runs surely enough keeps its name beside one that needs two', async () => {
    const legs = [
      { ...work, id: 'left', siteIds: [sites.north] },
      { ...work, id: 'right' },
    ];
    const made = await promised(group('ALL', 0.97, { legs, mostSitesPerLeg: 3 }));
    expect(made.ruleText).toMatch(/^all of \(left, any of \(right#1, right#2(, right#3)?\)\)$/);
  });

  test('more sites than the limit are refused, so is none, and a name that a copy would have', async () => {
    const faultsOf = async (more: object) =>
      (await coAllocate(group('ALL', 0.9, more))).userErrors.map(({ code, field }: Record<string, string>) => ({
        code,
        field,
      }));
    const refused = [{ code: 'INVALID', field: 'input.mostSitesPerLeg' }];
    expect(await faultsOf({ mostSitesPerLeg: 5 })).toEqual(refused);
    expect(await faultsOf({ mostSitesPerLeg: 0 })).toEqual(refused);
    const legs = [
      { ...work, id: 'left#1' },
      { ...work, id: 'left' },
    ];
    expect(await faultsOf({ mostSitesPerLeg: 2, legs })).toEqual([{ code: 'INVALID', field: 'input.legs[0].id' }]);
    expect(await faultsOf({ mostSitesPerLeg: 1, legs })).toEqual([]);
  });
});

test('a rule that spares legs needs no site for each of them', async () => {
  const legs = ['a', 'b', 'c'].map((id) => ({ ...work, id, siteIds: [sites.north, sites.south] }));
  const made = await promised(group('ANY', 0.99, { legs }));
  expect(made.legs).toHaveLength(2);
  const { userErrors } = await coAllocate(group('ALL', 0.1, { legs }));
  expect(userErrors).toMatchObject([{ code: 'NO_ELIGIBLE_SITE', field: 'input.legs' }]);
});

describe('the pessimistic figure', () => {
  test('with nothing measured is that of the bounds, and says so', async () => {
    const made = await promised(group('ANY', 0.99, { legs: legsAt(sites.west, world.sites.slow) }));
    expect(made.pairedObservations).toBe(0);
    const surest = Math.max(...made.legs.map((leg: { promisedProbability: number }) => leg.promisedProbability));
    expect(made.pessimisticProbability).toBeGreaterThanOrEqual(surest);
    expect(made.pessimisticProbability).toBeLessThan(surest + 0.01);
  });

  test('is lower for sites with a common cause of delays than for others, and never above the joint one', async () => {
    const common = await promised(group('ANY', 0.99, { legs: legsAt(sites.north, sites.south) }));
    const apart = await promised(group('ANY', 0.99, { legs: legsAt(sites.north, sites.east) }));
    for (const made of [common, apart]) {
      expect(made.pairedObservations).toBeGreaterThan(190);
      expect(made.pessimisticProbability).toBeLessThanOrEqual(made.promisedProbability);
    }
    expect(common.promisedProbability).toBeCloseTo(apart.promisedProbability, 9);
    expect(common.pessimisticProbability).toBeLessThan(apart.pessimisticProbability - 0.005);
  });

  test('is kept with the promise as it was made', async () => {
    const made = await promised(group('ALL', 0.7, { legs: legsAt(sites.north, sites.east) }));
    const query =
      'query($id: ID!) { coAllocation(id: $id) { promisedProbability pessimisticProbability pairedObservations } }';
    const { data } = await world.ask(world.tokens.workflow, query, { id: made.id });
    const { promisedProbability, pessimisticProbability, pairedObservations } = made;
    expect(data.coAllocation).toEqual({ promisedProbability, pessimisticProbability, pairedObservations });
  });

  test('rests on nothing at a single site, which has nothing to depend on', async () => {
    const made = await promised(group('ANY', 0.7, { legs: legsAt(sites.west, sites.west) }));
    expect(made.legs).toHaveLength(1);
    expect(made.pairedObservations).toBeNull();
    expect(made.pessimisticProbability).toBeCloseTo(made.promisedProbability, 9);
  });

  test('is null in groups that are older than it', async () => {
    const made = await promised(group('ALL', 0.7));
    await world.stores.database.db.coAllocation.updateMany({
      where: { promisedProbability: made.promisedProbability },
      data: { pessimisticProbability: null, pairedObservations: null },
    });
    const query = 'query($id: ID!) { coAllocation(id: $id) { pessimisticProbability pairedObservations } }';
    const { data } = await world.ask(world.tokens.workflow, query, { id: made.id });
    expect(data.coAllocation).toEqual({ pessimisticProbability: null, pairedObservations: null });
  });

  test('may be demanded: more joint probability is promised for it', async () => {
    const legs = legsAt(sites.west, world.sites.slow);
    const plain = await promised(group('ALL', 0.5, { legs }));
    expect(plain.pessimisticProbability).toBeLessThan(0.9);
    const sure = await promised(group('ALL', 0.5, { legs, minimumPessimisticProbability: 0.9 }));
    expect(sure.pessimisticProbability).toBeGreaterThanOrEqual(0.9);
    expect(sure.promisedProbability).toBeGreaterThan(plain.promisedProbability);
  });

  test('that is demanded and not on offer is refused with the most there is', async () => {
    const legs = legsAt(sites.west, world.sites.slow);
    const before = await world.countRows();
    const { coAllocation, bestOffer, userErrors } = await coAllocate(
      group('ALL', 0.5, { legs, minimumPessimisticProbability: 0.99 }),
    );
    expect(coAllocation).toBeNull();
    expect(userErrors).toMatchObject([
      {
        code: 'PROMISE_REFUSED',
        field: 'input.minimumPessimisticProbability',
        message: expect.stringContaining(bestOffer.pessimisticProbability.toFixed(4)),
      },
    ]);
    expect(bestOffer).toMatchObject({ pairedObservations: 0, probability: expect.closeTo(0.98 * 0.98, 9) });
    expect(bestOffer.pessimisticProbability).toBeGreaterThan(0.9);
    expect(await world.countRows()).toEqual(before);
    const { userErrors: invalid } = await coAllocate(group('ALL', 0.5, { minimumPessimisticProbability: 1 }));
    expect(invalid).toMatchObject([{ code: 'INVALID', field: 'input.minimumPessimisticProbability' }]);
  });
});

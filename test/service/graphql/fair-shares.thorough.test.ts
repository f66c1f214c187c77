import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ApiWorld, addSite, createApiWorld, HOUR, moment, NOW, work } from './api-world.ts';
import { CO_ALLOCATE } from './documents.ts';

const FORECASTS = 'query($input: ForecastInput!) { forecasts(input: $input) { forecast { pointSeconds } } }';
const SMALL = { input: { processors: 1, walltimeSeconds: 60 } };

/**
 * Eight legs at any of eight sites, so far ahead that every trajectory is long, and asking little because so far ahead
 * little is known.
 */
function largest(startAt = NOW + 1400 * HOUR) {
  const legs = Array.from({ length: 8 }, () => work);
  return { input: { rule: 'ALL', startAt: moment(startAt), probability: 0.001, mostSitesPerLeg: 4, legs } };
}

async function openWorld(limits: Parameters<typeof createApiWorld>[0] = {}): Promise<ApiWorld> {
  const world = await createApiWorld(limits);
  for (const n of [1, 2, 3, 4, 5, 6]) {
    await addSite(world.stores, `site${n}`, 64, { waitSeconds: 600 * n, observedAt: NOW - 30 });
  }
  return world;
}

describe('the forecasting thread', () => {
  let world: ApiWorld;
  beforeAll(async () => {
    world = await openWorld({ maxOperationSeconds: 120 });
  });
  afterAll(() => world.close());

  test("answers another tenant's small question while it works on large ones", async () => {
    const done: string[] = [];
    // All of them are to be answered within the minute that a forecast may take, on a busy machine too.
    const large = [1, 2].map(async () => {
      const { data } = await world.ask(world.tokens.workflow, CO_ALLOCATE, largest(NOW + 700 * HOUR));
      done.push('large');
      return data.coAllocate;
    });
    const { data } = await world.ask(world.tokens.stranger, FORECASTS, SMALL);
    done.push('small');
    expect(data.forecasts).toHaveLength(9);
    const answers = await Promise.all(large);
    expect(done[0]).toBe('small');
    for (const { userErrors } of answers) expect(userErrors).toEqual([]);
  });

  test('is not asked by one query for what would keep it for a minute', async () => {
    const { input } = largest();
    const aliases = Array.from({ length: 29 }, (_, n) => `a${n}: coAllocate(input: $input) { userErrors { code } }`);
    const many = `mutation($input: CoAllocateInput!) { ${aliases.join(' ')} }`;
    const { errors } = await world.ask(world.tokens.workflow, many, { input: { ...input, legs: [work, work] } });
    expect(errors).toMatchObject([{ extensions: { code: 'QUERY_TOO_COMPLEX' } }]);
  });
});

describe('an operation', () => {
  let world: ApiWorld;
  beforeAll(async () => {
    world = await openWorld({ maxOperationSeconds: 0.1 });
  });
  afterAll(() => world.close());

  test('that takes longer than its deadline is given up, and changes nothing after that', async () => {
    const before = await world.countRows();
    const { errors } = await world.ask(world.tokens.workflow, CO_ALLOCATE, largest());
    expect(errors).toMatchObject([
      { message: expect.stringContaining('longer than 0.1 s'), extensions: { code: 'DEADLINE_EXCEEDED' } },
    ]);
    await world.forecaster.state();
    expect(await world.countRows()).toEqual(before);
  });
});

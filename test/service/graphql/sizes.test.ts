import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { fromGlobalId } from '../../../src/graphql/shared/global-id.ts';
import { type ApiWorld, createApiWorld, work } from './api-world.ts';

let world: ApiWorld;
beforeAll(async () => {
  world = await createApiWorld();
});
afterAll(() => world.close());

const SUBMIT = `mutation Submit($input: SubmitJobInput!) {
  submitJob(input: $input) { job { id processors walltimeSeconds queue } userErrors { code field message } }
}`;
const PLAN = `query Plan($input: PlanInput!) {
  plan(input: $input) { chosen { site { name } processors } candidates {
    site { name } queue processors walltimeSeconds lostBecause explanation gainScore runtime { predictor }
  } }
}`;
const AMDAHL = { model: 'AMDAHL', serialShare: 0 };

interface Candidate {
  readonly site: { readonly name: string };
  readonly queue: string | null;
  readonly processors: number;
  readonly walltimeSeconds: number;
  readonly lostBecause: string | null;
  readonly gainScore: number | null;
}

async function plan(input: object): Promise<{ chosen: Candidate | null; candidates: Candidate[] }> {
  const { data, errors } = await world.ask(world.tokens.gateway, PLAN, { input });
  expect(errors).toBeUndefined();
  return data.plan;
}

async function submit(input: object) {
  const { data, errors } = await world.ask(world.tokens.gateway, SUBMIT, { input: { ...work, ...input } });
  expect(errors).toBeUndefined();
  return data.submitJob;
}

describe('sizes', () => {
  test('are compared by gain over sites and queues, and nothing is written', async () => {
    const before = await world.countRows();
    const sizes = { from: 2, to: 16 };
    const { chosen, candidates } = await plan({ processors: 4, walltimeSeconds: 1800, sizes, speedup: AMDAHL });
    const inBatch = candidates.filter(({ site, queue }) => site.name === 'quick' && queue === 'batch');
    expect(inBatch.map(({ processors, walltimeSeconds }) => [processors, walltimeSeconds])).toEqual([
      [4, 1800],
      [2, 3600],
      [8, 900],
      [16, 480],
    ]);
    expect(chosen).toMatchObject({ site: { name: 'quick' }, processors: 16 });
    const best = Math.max(...candidates.map(({ gainScore }) => gainScore ?? 0));
    expect(candidates.find(({ lostBecause }) => lostBecause === null)?.gainScore).toBe(best);
    const stale = candidates.filter(({ site, queue }) => site.name === 'stale' && queue === 'batch');
    expect(stale.map(({ lostBecause }) => lostBecause)).toEqual(['STALE', 'STALE', 'STALE', 'STALE']);
    expect(await world.countRows()).toEqual(before);
  });

  test('of which nothing tells the runtime are not offered, and say so', async () => {
    const { chosen, candidates } = await plan({ processors: 4, walltimeSeconds: 1800, sizes: { list: [8] } });
    expect(chosen?.processors).toBe(4);
    const wide = candidates.filter(({ processors, site }) => processors === 8 && site.name === 'quick');
    for (const { lostBecause } of wide) expect(lostBecause).toBe('RUNTIME_UNKNOWN');
    expect(wide.length).toBeGreaterThan(0);
  });

  test('are written down beside what was stated', async () => {
    const { job, userErrors } = await submit({ sizes: { list: [8, 2, 8] }, speedup: AMDAHL });
    expect(userErrors).toEqual([]);
    expect(job).toMatchObject({ processors: 4, walltimeSeconds: 1800 });
    const id = fromGlobalId(job.id)?.id ?? '';
    expect(await world.stores.database.db.execution.findUniqueOrThrow({ where: { id } })).toMatchObject({
      statedProcessors: 4,
      statedWalltimeSeconds: 1800,
      sizes: [2, 8],
      sizesFromHistory: false,
      speedup: { kind: 'AMDAHL', serialShare: 0 },
    });
  });

  test('let a job in that is too large as it is stated, but for a smaller size', async () => {
    const large = { processors: 128, sizes: { list: [32] }, speedup: AMDAHL, siteIds: [world.sites.quick] };
    expect((await submit(large)).userErrors).toEqual([]);
    const { userErrors } = await submit({ ...large, sizes: { list: [100] } });
    expect(userErrors).toMatchObject([{ code: 'NO_ELIGIBLE_SITE', field: 'input.processors' }]);
  });

  test.each([
    ['sizes that name none', { sizes: {} }, 'input.sizes', /names no size/],
    ['half a range', { sizes: { from: 2 } }, 'input.sizes', /both from and to/],
    ['a range the wrong way round', { sizes: { from: 8, to: 2 } }, 'input.sizes.to', /not be below from, got 8 to 2/],
    ['a range without a power of two', { sizes: { from: 5, to: 7 } }, 'input.sizes', /no power of two from 5 to 7/],
    ['a huge range', { sizes: { from: 1, to: 100_000, steps: 'ALL' } }, 'input.sizes', /more than 16 sizes/],
    ['no processors', { sizes: { list: [2, 0] } }, 'input.sizes.list[1]', /whole number from 1/],
    ['a model alone', { speedup: AMDAHL }, 'input.speedup', /give sizes/],
    [
      'a model without its parameter',
      { sizes: { list: [2] }, speedup: { model: 'AMDAHL' } },
      'input.speedup.serialShare',
      /give it/,
    ],
    [
      "another model's parameter",
      { sizes: { list: [2] }, speedup: { ...AMDAHL, sigma: 1 } },
      'input.speedup.sigma',
      /no parameter of AMDAHL/,
    ],
    [
      'a parameter that cannot be',
      { sizes: { list: [2] }, speedup: { model: 'AMDAHL', serialShare: 2 } },
      'input.speedup.serialShare',
      /from 0 to 1/,
    ],
  ])('%s are refused', async (_what, changes, field, message) => {
    const before = await world.countRows();
    const { job, userErrors } = await submit(changes);
    expect(job).toBeNull();
    expect(userErrors[0]).toMatchObject({ code: 'INVALID', field });
    expect(userErrors[0].message).toMatch(message);
    expect(await world.countRows()).toEqual(before);
  });
});

describe('queues', () => {
  test('are all thought of unless one is named, for every site or for some', async () => {
    const size = { processors: 4, walltimeSeconds: 600 };
    const queuesAt = async (name: string, input: object) =>
      (await plan({ ...size, ...input })).candidates.filter(({ site }) => site.name === name).map(({ queue }) => queue);
    expect(await queuesAt('quick', {})).toEqual(['batch', 'debug']);
    expect(await queuesAt('quick', { queue: 'batch' })).toEqual(['batch']);
    const sites = [{ id: world.sites.quick, queue: 'debug' }];
    expect(await queuesAt('quick', { sites })).toEqual(['debug']);
    expect(await queuesAt('slow', { sites })).toEqual(['batch', 'debug']);
    expect(await queuesAt('quick', { sites, queue: 'batch' })).toEqual(['debug']);
    expect(await queuesAt('slow', { sites, queue: 'batch' })).toEqual(['batch']);
  });

  test('of which nothing is known lose to those that are known', async () => {
    const { candidates } = await plan({ processors: 1, walltimeSeconds: 60, siteIds: [world.sites.quick] });
    expect(candidates.map(({ queue, lostBecause }) => [queue, lostBecause])).toEqual([
      ['batch', null],
      ['debug', 'QUEUE_UNTRIED'],
    ]);
  });
});

import { afterAll, beforeAll, expect, test } from 'vitest';
import { toGlobalId } from '../../../src/graphql/shared/global-id.ts';
import { createSite } from '../../../src/store/sites.ts';
import { type ApiWorld, createApiWorld, NOW, unknownId } from './api-world.ts';

let world: ApiWorld;
beforeAll(async () => {
  world = await createApiWorld();
});
afterAll(() => world.close());

const ADVICE = `query Advice($input: WalltimeAdviceInput!) {
  walltimeAdvice(input: $input) {
    site { name } impossibleBecause explanation
    runtime { __typename sampleSize }
    requestedWait { median: boundSeconds(probability: 0.5) late: boundSeconds(probability: 0.9) }
    advice { risk walltimeSeconds killedProbability reason medianWaitSavedSeconds
      wait { median: boundSeconds(probability: 0.5) late: boundSeconds(probability: 0.9) } }
  }
}`;

async function ask(input: object, token: string | null = world.tokens.gateway) {
  return world.ask(token, ADVICE, { input: { processors: 4, ...input } });
}

async function adviceAt(siteId: string, input: object) {
  const { data, errors } = await ask({ ...input, siteIds: [siteId] });
  expect(errors).toBeUndefined();
  expect(data.walltimeAdvice).toHaveLength(1);
  return data.walltimeAdvice[0];
}

test('each site is advised at each risk, with the wait beside that of the request', async () => {
  const slow = await adviceAt(world.sites.slow, { walltimeSeconds: 3600, user: 'user3' });
  expect(slow).toMatchObject({ site: { name: 'slow' }, impossibleBecause: null, explanation: null });
  expect(slow.runtime.sampleSize).toBeGreaterThan(50);
  expect(slow.advice.map(({ risk }: { risk: number }) => risk)).toEqual([0.01, 0.05, 0.1, 0.2]);
  for (const { risk, walltimeSeconds, killedProbability, reason, wait, medianWaitSavedSeconds } of slow.advice) {
    // Every job there ran 1,800 s of 3,600.
    expect(walltimeSeconds).toBeGreaterThanOrEqual(1740);
    expect(walltimeSeconds).toBeLessThanOrEqual(3600);
    expect(walltimeSeconds % 60).toBe(0);
    expect(killedProbability).toBeLessThanOrEqual(risk);
    expect(reason).toBeNull();
    expect(wait.median).toBeLessThanOrEqual(wait.late);
    expect(medianWaitSavedSeconds).toBe(slow.requestedWait.median - wait.median);
  }
});

test('nobody has to know a walltime, or be known', async () => {
  const slow = await adviceAt(world.sites.slow, { user: 'nobody-knows-me', risks: [0.005, 0.5] });
  expect(slow.requestedWait).toBeNull();
  for (const { walltimeSeconds, medianWaitSavedSeconds, wait } of slow.advice) {
    expect(walltimeSeconds).toBeGreaterThanOrEqual(1740);
    expect(walltimeSeconds).toBeLessThanOrEqual(7200);
    expect(wait.median).toBeGreaterThan(0);
    expect(medianWaitSavedSeconds).toBeNull();
  }
});

test('a queue that allows less is kept to, and what that risks is said', async () => {
  const siteId = world.sites.quick;
  const { db } = world.stores.database;
  await db.queue.updateMany({ where: { name: 'debug' }, data: { maxWalltimeSeconds: 900 } });
  const quick = await adviceAt(siteId, { queue: 'debug', walltimeSeconds: 7200, risks: [0.05] });
  expect(quick.requestedWait).toBeNull();
  expect(quick.advice).toMatchObject([
    { walltimeSeconds: 900, reason: expect.stringMatching(/allows 15 m, 5 % risk/) },
  ]);
  expect(quick.advice[0].killedProbability).toBeGreaterThan(0.05);
});

test('a site without history says that nothing is known; one that could never says why', async () => {
  const { id } = await createSite(world.stores.database.db, {
    ...{ name: 'empty', adapter: 'simulator', configuration: {}, now: NOW },
  });
  const empty = await adviceAt(toGlobalId('Site', id), { walltimeSeconds: 3600, risks: [0.1] });
  expect(empty).toMatchObject({ runtime: { sampleSize: 0 }, impossibleBecause: null });
  expect(empty.advice).toEqual([
    {
      ...{ risk: 0.1, walltimeSeconds: null, killedProbability: null, wait: null, medianWaitSavedSeconds: null },
      reason: 'nothing is known of how long such jobs run',
    },
  ]);
  const small = await adviceAt(world.sites.quick, { processors: 65 });
  expect(small).toMatchObject({ impossibleBecause: 'TOO_LARGE', runtime: null, advice: [] });
  expect((await adviceAt(world.sites.quick, { queue: 'nowhere' })).impossibleBecause).toBe('UNKNOWN_QUEUE');
});

test.each([
  ['no processors', { processors: 0 }, 'input.processors'],
  ['a walltime below nothing', { walltimeSeconds: -60 }, 'input.walltimeSeconds'],
  ['no risk', { risks: [] }, 'input.risks'],
  ['too many risks', { risks: Array.from({ length: 21 }, () => 0.1) }, 'input.risks'],
  ['a risk of nothing', { risks: [0.05, 0] }, 'input.risks[1]'],
  ['a certain risk', { risks: [1] }, 'input.risks[0]'],
])('%s is refused by its field', async (_, change, field) => {
  const { errors } = await ask(change);
  expect(errors?.[0]).toMatchObject({ extensions: { code: 'INVALID', field } });
});

test('an unknown site, and nobody, are refused', async () => {
  const { errors } = await ask({ siteIds: [unknownId('Site')] });
  expect(errors?.[0]).toMatchObject({ extensions: { code: 'NOT_FOUND', field: 'input.siteIds[0]' } });
  expect((await ask({}, null)).errors?.[0]).toMatchObject({ extensions: { code: 'UNAUTHENTICATED' } });
});

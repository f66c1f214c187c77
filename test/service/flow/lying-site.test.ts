import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { toGlobalId } from '../../../src/graphql/shared/global-id.ts';
import { findSite } from '../../../src/store/sites.ts';
import { type ApiWorld, createApiWorld, moment } from '../graphql/api-world.ts';
import { type Answers, type Steps, stepsOver, type ToldSite, tellSite } from './told-site.ts';

const YEAR = 365 * 86_400;
const FACTS = {
  processors: 64,
  queues: [{ name: 'batch', isDefault: true, maxProcessors: null, maxWalltimeSeconds: null }],
};

let world: ApiWorld;
let steps: Steps;
beforeAll(async () => {
  world = await createApiWorld();
  steps = stepsOver(world);
});
afterAll(() => world.close());

const job = (at: number) => ({
  nativeId: '1',
  key: null,
  user: 'alice',
  queue: 'batch',
  processors: 4,
  requestedWalltimeSeconds: 3600,
  submitAt: at,
});
const snapshotAt = (observedAt: number, change: object = {}) => {
  return { observedAt, processors: 64, freeProcessors: 60, waiting: [], running: [], ...change };
};
const record = (at: number) => {
  const { key: _, ...known } = job(at);
  return { ...known, startAt: at, endAt: at, outcome: 'COMPLETED' };
};

let count = 0;
/** A site that was looked at once while it said that. */
async function looked(answers: Answers): Promise<{ id: string; site: ToldSite }> {
  const site = await tellSite({ facts: FACTS, history: { records: [], nextSince: world.clock.now() }, ...answers });
  onTestFinished(() => site.close());
  const id = await steps.register(`told-${++count}`, 'simulator', { url: site.url, site: 'told' });
  return { id, site };
}

/** What a gateway is shown of the site. */
async function shown(id: string) {
  const { data, errors } = await world.ask(
    world.tokens.gateway,
    `query ($id: ID!) { node(id: $id) { ... on Site { fault faultCode clockSkewSeconds observedAt stale } } }`,
    { id: toGlobalId('Site', id) },
  );
  expect(errors).toBeUndefined();
  return data.node;
}

test('a site that tells the truth has no fault and no skew', async () => {
  const now = world.clock.now();
  const { id } = await looked({ snapshot: snapshotAt(now, { waiting: [job(now - 10)] }) });
  expect(await shown(id)).toEqual({
    fault: null,
    faultCode: null,
    clockSkewSeconds: 0,
    observedAt: moment(now),
    stale: false,
  });
});

test('a snapshot from next year is a fault and makes nothing fresh', async () => {
  const { id } = await looked({ snapshot: snapshotAt(world.clock.now() + YEAR) });
  expect(await shown(id)).toMatchObject({
    faultCode: 'CLOCK_SKEW',
    clockSkewSeconds: YEAR,
    observedAt: null,
    stale: true,
  });
});

test('a clock that is a little off is measured, and how fresh the answer is follows ours', async () => {
  const now = world.clock.now();
  const { id } = await looked({ snapshot: snapshotAt(now + 100) });
  expect(await shown(id)).toMatchObject({ fault: null, clockSkewSeconds: 100, observedAt: moment(now) });
  const behind = await looked({ snapshot: snapshotAt(now - 100) });
  expect(await shown(behind.id)).toMatchObject({ fault: null, clockSkewSeconds: -100, observedAt: moment(now) });
});

test('a job from next year tells of the skew of a site whose clock is not asked', async () => {
  const now = world.clock.now();
  const { id } = await looked({ snapshot: snapshotAt(now, { waiting: [job(now + YEAR)] }) });
  expect(await shown(id)).toMatchObject({ faultCode: 'CLOCK_SKEW', clockSkewSeconds: YEAR });
});

test('history goes on from now at the latest, whatever the site says', async () => {
  const now = world.clock.now();
  const history = { records: [record(now - 100)], nextSince: Date.UTC(2058, 0, 1) / 1000 };
  const { id, site } = await looked({ snapshot: snapshotAt(now), history });
  expect((await findSite(world.stores.database.db, id))?.historySince).toBe(now);
  world.clock.advanceTo(now + 400);
  site.answers = { ...site.answers, snapshot: snapshotAt(now + 400) };
  await steps.observe(id);
  expect(site.asked.filter((path) => path.startsWith('history'))).toHaveLength(2);
});

test('history that was ended by an earlier lie goes on', async () => {
  const now = world.clock.now();
  const { id, site } = await looked({ snapshot: snapshotAt(now) });
  const historySince = new Date(Date.UTC(2058, 0, 1));
  await world.stores.database.db.site.update({ where: { id }, data: { historySince } });
  world.clock.advanceTo(now + 60);
  site.answers = { ...site.answers, snapshot: snapshotAt(now + 60) };
  await steps.observe(id);
  expect(site.asked.filter((path) => path.startsWith('history'))).toHaveLength(2);
});

const now = () => world.clock.now();
test.each<[string, string, () => Answers]>([
  ['no JSON', 'GARBLED', () => ({ snapshot: '<html>' })],
  ['nothing', 'GARBLED', () => ({ snapshot: 'null' })],
  ['no list of jobs', 'GARBLED', () => ({ snapshot: snapshotAt(now(), { waiting: 7 }) })],
  ['a job that is none', 'GARBLED', () => ({ snapshot: snapshotAt(now(), { waiting: [null] }) })],
  ['a word for a number', 'GARBLED', () => ({ snapshot: snapshotAt(now(), { processors: 'many' }) })],
  ['a moment that is none', 'GARBLED', () => ({ snapshot: snapshotAt(now(), { observedAt: 'noon' }) })],
  ['1e15 processors', 'GARBLED', () => ({ snapshot: snapshotAt(now(), { processors: 1e15 }) })],
  ['NUL in a name', 'GARBLED', () => ({ snapshot: snapshotAt(now(), { waiting: [{ ...job(now()), user: 'a\0b' }] }) })],
  [
    'a name without end',
    'GARBLED',
    () => ({ snapshot: snapshotAt(now(), { waiting: [{ ...job(now()), user: 'a'.repeat(9999) }] }) }),
  ],
  ['100 MB', 'TOO_LARGE', () => ({ snapshot: ' '.repeat(100 << 20) })],
  ['garbled facts', 'GARBLED', () => ({ snapshot: snapshotAt(now()), facts: { processors: 64, queues: [{}] } })],
  [
    'the same queue twice',
    'GARBLED',
    () => ({ snapshot: snapshotAt(now()), facts: { ...FACTS, queues: [...FACTS.queues, ...FACTS.queues] } }),
  ],
])('%s is the fault of the site', async (_, faultCode, answers) => {
  const { id } = await looked(answers());
  expect(await shown(id)).toMatchObject({ faultCode, fault: expect.stringContaining(`${faultCode}: `) });
});

test.each<[string, () => unknown]>([
  ['records of next year', () => ({ records: [record(now() + YEAR)], nextSince: now() })],
  ['no records', () => ({ nextSince: now() })],
  ['no moment to go on from', () => ({ records: [], nextSince: 'soon' })],
  ['an outcome that there is not', () => ({ records: [{ ...record(now()), outcome: 'WON' }], nextSince: now() })],
])('accounting with %s is not believed and not taken for read', async (_, history) => {
  const { id } = await looked({ snapshot: snapshotAt(now()), history: history() });
  const site = await findSite(world.stores.database.db, id);
  expect(site).toMatchObject({ historySince: null, fault: null });
  expect(await world.stores.database.db.record.count({ where: { siteId: id } })).toBe(0);
});

test('a fault that stays is logged in one line without a stack', async () => {
  const { id } = await looked({ snapshot: 'null' });
  const from = steps.logged.length;
  for (let look = 0; look < 20; look++) {
    world.clock.advanceTo(world.clock.now() + 60);
    await steps.observe(id);
  }
  expect(steps.logged.slice(from).filter(({ msg }) => msg === 'site fault')).toEqual([]);
  const line = steps.logged.find(({ code, site }) => code === 'GARBLED' && site === `told-${count}`);
  expect(line).toBeDefined();
  expect(JSON.stringify(line)).not.toContain('    at ');
});

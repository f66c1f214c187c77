import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type KeptFacts, saysTheSame } from '../../../src/store/site-resources.ts';
import { confirmSiteFacts, createSite, findSiteByName, saveSiteFacts } from '../../../src/store/sites.ts';
import { createTestDatabase, type TestDatabase } from '../database.ts';

let stores: TestDatabase;
beforeAll(async () => {
  stores = await createTestDatabase();
});
afterAll(() => stores.drop());

const BATCH = { name: 'batch', isDefault: true, maxProcessors: null, maxWalltimeSeconds: 86_400 };
const NODES = {
  count: 4,
  processors: 16,
  memoryMebibytes: 64_000,
  gpus: [{ kind: 'a100', count: 2 }],
  features: ['ib'],
};
const FULL: KeptFacts = {
  processors: 64,
  queues: [BATCH, { ...BATCH, name: 'gpu', isDefault: false, processors: 32, allocation: { wholeNodes: true } }],
  maintenance: [{ startAt: 1e9, endAt: 1e9 + 60, processors: null, reason: 'cooling' }],
  nodeShapes: [NODES],
  licences: [{ name: 'matlab', count: 3 }],
  honours: ['gpus', 'nodes'],
};
const [, gpu] = FULL.queues;

const OTHERS: [string, KeptFacts][] = [
  ['a processor less', { ...FULL, processors: 63 }],
  ['a queue less', { ...FULL, queues: [BATCH] }],
  ['a limit of a queue', { ...FULL, queues: [{ ...BATCH, maxProcessors: 8 }, gpu ?? BATCH] }],
  ['a bar', { ...FULL, queues: [{ ...BATCH, bar: 'DOWN' }, gpu ?? BATCH] }],
  ['no allocation any more', { ...FULL, queues: [BATCH, { ...BATCH, name: 'gpu', isDefault: false, processors: 32 }] }],
  ['no window', { ...FULL, maintenance: [] }],
  [
    'a window that ends later',
    { ...FULL, maintenance: [{ startAt: 1e9, endAt: 1e9 + 61, processors: null, reason: 'cooling' }] },
  ],
  ['a node less', { ...FULL, nodeShapes: [{ ...NODES, count: 3 }] }],
  ['a node out of service', { ...FULL, nodeShapes: [{ ...NODES, inService: 3 }] }],
  ['no nodes', { ...FULL, nodeShapes: undefined }],
  ['a licence more', { ...FULL, licences: [{ name: 'matlab', count: 4 }] }],
  ['another thing that jobs can ask for', { ...FULL, honours: ['gpus', 'nodes', 'exclusive'] }],
];

async function kept(name: string, facts: KeptFacts) {
  const { db } = stores.database;
  const { id } = await createSite(db, { name, adapter: 'simulator', configuration: {}, now: 0 });
  await saveSiteFacts(db, id, facts, 1000);
  return id;
}

const rowOf = async (name: string) => {
  const row = await findSiteByName(stores.database.db, name);
  if (!row) throw new Error(`there is no site ${name}`);
  return row;
};

test('a site says the same as long as it says what was written down, in whatever order', async () => {
  const id = await kept('full', FULL);
  expect(saysTheSame(await rowOf('full'), { ...FULL, queues: FULL.queues.toReversed() })).toBe(true);
  await confirmSiteFacts(stores.database.db, id, 2000);
  expect(await rowOf('full')).toMatchObject({ factsAt: 2000, processors: 64 });
  await kept('bare', { processors: 8, queues: [BATCH] });
  expect(saysTheSame(await rowOf('bare'), { processors: 8, queues: [BATCH], honours: [] })).toBe(true);
});

describe('a site says something else with', () => {
  test.each(OTHERS)('%s', async (what, facts) => {
    expect(saysTheSame(await rowOf('full'), facts)).toBe(false);
    await kept(what, facts);
    expect(saysTheSame(await rowOf(what), facts), 'until that is written down').toBe(true);
  });
});

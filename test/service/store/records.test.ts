import { afterAll, beforeAll, expect, test } from 'vitest';
import type { JobRecord } from '../../../src/domain/job.ts';
import { countRecordsOf, readRecordsAfter, saveRecords } from '../../../src/store/records.ts';
import { createSite } from '../../../src/store/sites.ts';
import { createTestDatabase, type TestDatabase } from '../database.ts';

let test_: TestDatabase;
let siteId: string;
beforeAll(async () => {
  test_ = await createTestDatabase();
  const site = { name: 'kth', adapter: 'simulator', configuration: {}, now: 0 };
  siteId = (await createSite(test_.database.db, site)).id;
});
afterAll(() => test_.drop());

function record(n: number, known: Partial<JobRecord> = {}): JobRecord {
  const common = { user: `user${n % 7}`, queue: null, processors: 1 + (n % 64), requestedWalltimeSeconds: 3600 };
  return { nativeId: String(n), ...common, submitAt: 1000 + n, startAt: null, endAt: null, outcome: null, ...known };
}

test('records come back in the order of their changes, whole', async () => {
  const { db } = test_.database;
  const ended = { startAt: 2000.25, endAt: 3000.5, outcome: 'COMPLETED' } as const;
  const jobs = [
    record(1, ended),
    record(2, { startAt: 2500 }),
    record(3, { user: null, requestedWalltimeSeconds: null }),
  ];
  expect(await saveRecords(db, siteId, jobs)).toEqual({ inserted: 3, changed: 0 });
  const read = await readRecordsAfter(db, siteId, 0, 10);
  const byId = new Map(read.map(({ revision: _revision, ...job }) => [job.nativeId, job]));
  expect(jobs.map((job) => byId.get(job.nativeId))).toEqual(jobs);
});

test('a repeated import changes nothing; what is learned later gets a new revision; a known end is never forgotten', async () => {
  const { db } = test_.database;
  const newest = (await readRecordsAfter(db, siteId, 0, 10)).at(-1)?.revision ?? 0;
  const started = record(2, { startAt: 2500 });
  expect(await saveRecords(db, siteId, [started])).toEqual({ inserted: 0, changed: 0 });
  expect(await readRecordsAfter(db, siteId, newest, 10)).toEqual([]);
  expect(await saveRecords(db, siteId, [{ ...started, endAt: 2600, outcome: 'FAILED' }])).toEqual({
    inserted: 0,
    changed: 1,
  });
  expect(await readRecordsAfter(db, siteId, newest, 10)).toMatchObject([
    { nativeId: '2', endAt: 2600, outcome: 'FAILED' },
  ]);
  expect(await saveRecords(db, siteId, [started])).toEqual({ inserted: 0, changed: 0 });
});

test('what is told beside comes back; what was not is absent; a use that becomes known later is something new', async () => {
  const { db } = test_.database;
  const revision = (await readRecordsAfter(db, siteId, 0, 10)).at(-1)?.revision ?? 0;
  const program = { name: 'wrf', script: null, arguments: [], workFolder: '/scratch/wrf' };
  const ended = { startAt: 2000, endAt: 3000, outcome: 'COMPLETED' } as const;
  const told = record(700, { ...ended, account: 'climate', group: 'staff', program });
  const use = { cpuSeconds: 1.5, memoryBytes: 2 ** 45, readBytes: null, writtenBytes: 0 };
  await saveRecords(db, siteId, [told]);
  expect(await readRecordsAfter(db, siteId, revision, 10)).toEqual([{ ...told, revision: expect.any(Number) }]);
  expect(await saveRecords(db, siteId, [{ ...told, use }])).toEqual({ inserted: 0, changed: 1 });
  const again = [{ ...told, use }, told, { ...told, program: { ...program, name: 'wr' } }, record(700)];
  for (const same of again) expect(await saveRecords(db, siteId, [same])).toEqual({ inserted: 0, changed: 0 });
  const read = await readRecordsAfter(db, siteId, revision, 10);
  expect(read).toEqual([{ ...told, use, revision: expect.any(Number) }]);
});

test('a name that is no text, or longer than names are, is kept as far as it can be', async () => {
  const { db } = test_.database;
  const revision = (await readRecordsAfter(db, siteId, 0, 10)).at(-1)?.revision ?? 0;
  const program = { name: `a\0b\ud800${'c'.repeat(5000)}`, script: null, arguments: [], workFolder: null };
  await saveRecords(db, siteId, [record(701, { program, account: '\udc00' })]);
  const [read] = await readRecordsAfter(db, siteId, revision, 10);
  expect(read?.program?.name).toBe(`a\ufffdb\ufffd${'c'.repeat(1020)}`);
  expect(read?.account).toBe('\ufffd');
});

test('an id that a site uses again is another job', async () => {
  const { db } = test_.database;
  const before = (await countRecordsOf(db, [siteId])).get(siteId) ?? 0;
  await saveRecords(db, siteId, [record(1, { submitAt: 999_999 })]);
  expect((await countRecordsOf(db, [siteId])).get(siteId)).toBe(before + 1);
});

test('a chunk may name a job twice', async () => {
  const { db } = test_.database;
  await saveRecords(db, siteId, [record(900), record(900, { startAt: 5000 })]);
  expect((await readRecordsAfter(db, siteId, 0, 100)).find(({ nativeId }) => nativeId === '900')?.startAt).toBe(5000);
});

test('writers to one site are serialised, so a follower never misses a record', async () => {
  const { db, transaction } = test_.database;
  const seen = new Set<string>();
  let revision = (await readRecordsAfter(db, siteId, 0, 1000)).at(-1)?.revision ?? 0;
  const writers = Array.from({ length: 6 }, (_, writer) =>
    transaction((tx) =>
      saveRecords(
        tx,
        siteId,
        Array.from({ length: 300 }, (_, n) => record(10_000 + writer * 1000 + n)),
      ),
    ),
  );
  const done = Promise.all(writers).then(() => true);
  for (let finished = false; ; ) {
    const batch = await readRecordsAfter(db, siteId, revision, 100);
    for (const job of batch) seen.add(job.nativeId);
    revision = batch.at(-1)?.revision ?? revision;
    if (batch.length === 0 && finished) break;
    finished = await Promise.race([done, new Promise<boolean>((resolve) => setTimeout(() => resolve(finished), 5))]);
  }
  expect(seen.size).toBe(1800);
});

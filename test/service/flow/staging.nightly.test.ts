import { createHash, randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { cancelJob } from '../../../src/commands/cancel-job.ts';
import { Unavailable } from '../../../src/domain/failures.ts';
import { stageFinding } from '../../../src/domain/staging.ts';
import { mostVainBytes } from '../../../src/flow/staging/move-out.ts';
import { findStaged, type StagingRow } from '../../../src/store/stagings.ts';
import { STAGING_SETTINGS } from './staging-settings.ts';
import { createStagingWorld, type StagingWorld } from './staging-world.ts';

const BYTES = randomBytes(20 << 20);
const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');
let here: StagingWorld;

beforeAll(async () => {
  here = await createStagingWorld();
});
beforeEach(() => here.reset());
afterAll(() => here.close());

test('inputs are there before the job is handed in, outputs are out after its end, and its folder is gone', async () => {
  const { server } = here;
  server.files.set('a', { bytes: BYTES });
  server.files.set('empty', { bytes: new Uint8Array() });
  writeFileSync(join(here.folder, 'site-file'), 'of the site');
  let seen = '';
  here.onSubmit = ({ workFolder = '' }) => {
    seen = sha256(readFileSync(join(workFolder, 'data/a.bin')));
    expect(readFileSync(join(workFolder, 'empty'), 'utf8')).toBe('');
    expect(readFileSync(join(workFolder, 'site'), 'utf8')).toBe('of the site');
    mkdirSync(join(workFolder, 'out'));
    writeFileSync(join(workFolder, 'out/result'), BYTES.subarray(0, 9_000_000));
  };
  const id = await here.submit({
    in: [
      { from: server.url('a'), to: 'data/a.bin', bytes: BYTES.length, sha256: sha256(BYTES) },
      { from: server.url('empty'), to: 'empty' },
      { from: join(here.folder, 'site-file'), to: 'site' },
    ],
    out: [
      { from: 'out/result', to: server.url('result') },
      { from: 'out/none', to: server.url('none') },
    ],
  });
  await here.untilOver(id);
  expect(await here.execution(id)).toMatchObject({ state: 'ENDED', outcome: 'COMPLETED' });
  expect(seen).toBe(sha256(BYTES));
  expect(server.taken.get('result')?.equals(BYTES.subarray(0, 9_000_000))).toBe(true);
  const { files, ...staging } = await here.staging(id);
  expect(files.map(({ state, fault, sha256: sum }) => [state, fault, sum])).toEqual([
    ['MOVED', null, sha256(BYTES)],
    ['MOVED', null, sha256(new Uint8Array())],
    ['MOVED', null, sha256(Buffer.from('of the site'))],
    ['MOVED', null, sha256(BYTES.subarray(0, 9_000_000))],
    ['FAILED', 'NOT_FOUND', null],
  ]);
  expect(staging).toMatchObject({ state: 'ENDED', fault: null });
  expect(existsSync(staging.folder ?? '')).toBe(false);
  expect(here.handedIn).toHaveLength(1);
  const { db } = here.world.database;
  expect(JSON.stringify([files, await db.execution.findMany(), await db.staging.findMany()])).not.toContain('SECRET');
  expect((await db.site.findFirst())?.stagedBytesPerSecond).toBeGreaterThan(0);
});

test('broken connections are gone on from, and every byte is as it was', async () => {
  here.server.files.set('a', { bytes: BYTES, breaks: [9 << 20, 9 << 20, 1 << 20] });
  const id = await here.submit({ in: [{ from: here.server.url('a'), to: 'a' }] });
  await here.world.until('it is handed in', async () => here.handedIn.length > 0, here.worker());
  const { files, folder } = await here.staging(id);
  expect(files).toMatchObject([{ state: 'MOVED', sha256: sha256(BYTES), restarts: 0 }]);
  expect(readFileSync(join(folder ?? '', 'a')).equals(BYTES)).toBe(true);
  const ranges = here.server.asked.map((one) => one.split(' ')[2] ?? '');
  expect(ranges).toEqual(['', `bytes=${8 << 20}-`, `bytes=${16 << 20}-`, `bytes=${16 << 20}-`]);
});

test('what a site lost of a file after a break is not trusted: the file is moved anew', async () => {
  here.server.files.set('a', { bytes: BYTES, breaks: [9 << 20] });
  const id = await here.submit({ in: [{ from: here.server.url('a'), to: 'a' }] });
  const isBroken = async () => ((await here.staging(id))?.faults ?? 0) > 0;
  await here.world.until('a connection broke', isBroken, here.worker());
  const { folder } = await here.staging(id);
  const file = join(folder ?? '', 'a');
  const there = readFileSync(file);
  there[12_345] = (there[12_345] ?? 0) ^ 1;
  writeFileSync(file, there);
  await here.world.until('it is handed in', async () => here.handedIn.length > 0, here.worker());
  expect((await here.staging(id)).files).toMatchObject([{ restarts: 1, sha256: sha256(BYTES) }]);
  expect(readFileSync(file).equals(BYTES)).toBe(true);
});

test('a source that changes meanwhile is moved anew, and one that always does ends the job', async () => {
  const file = { bytes: BYTES as Uint8Array, breaks: [9 << 20] };
  here.server.files.set('a', file);
  const id = await here.submit({ in: [{ from: here.server.url('a'), to: 'a' }] });
  const isBroken = async () => ((await here.staging(id))?.faults ?? 0) > 0;
  await here.world.until('a connection broke', isBroken, here.worker());
  file.bytes = randomBytes(10 << 20);
  await here.world.until('it is handed in', async () => here.handedIn.length > 0, here.worker());
  expect((await here.staging(id)).files).toMatchObject([{ restarts: 1, sha256: sha256(file.bytes) }]);
  here.server.files.set('b', { bytes: BYTES, breaks: Array.from({ length: 20 }, () => 9 << 20) });
  const other = await here.submit({ in: [{ from: here.server.url('b'), to: 'b' }] });
  const changing = here.server.files.get('b');
  here.before = async ({ verb }) => {
    if (verb === 'WRITE' && changing) changing.etag = `"${randomBytes(4).toString('hex')}"`;
  };
  await here.untilOver(other);
  expect(await here.execution(other)).toMatchObject({ outcome: 'STAGING_FAILED' });
  expect((await here.staging(other)).files).toMatchObject([{ state: 'FAILED', fault: 'CHANGED' }]);
});

test.each([
  ['NOT_FOUND', { from: 'none', to: 'a' }],
  ['OTHER_SIZE', { from: 'a', to: 'a', bytes: 7 }],
  ['OTHER_SHA256', { from: 'a', to: 'a', sha256: 'ab'.repeat(32) }],
  ['DENIED', { from: 'denied', to: 'a' }],
  ['ADDRESS_REFUSED', { from: 'http://localhost:1/a', to: 'a' }],
  ['PATH_REFUSED', { from: '/etc/passwd', to: 'a' }],
])('%s ends the job before anything is submitted', async (fault, { from, ...file }) => {
  here.server.files.set('a', { bytes: Buffer.from('small') });
  here.server.files.set('denied', { bytes: BYTES, status: 403 });
  const address = /^http|^\//.test(from) ? from : here.server.url(from);
  const id = await here.submit({ in: [{ from: address, ...file }], out: [{ from: 'o', to: here.server.url('o') }] });
  await here.untilOver(id);
  const { outcome, reason, attempts } = await here.execution(id);
  expect({ outcome, attempts }).toEqual({ outcome: 'STAGING_FAILED', attempts: 0 });
  expect(reason).toContain(`its file a cannot be moved to elm: ${fault}`);
  const { files } = await here.staging(id);
  expect(files.map(({ state, fault: why }) => [state, why && stageFinding(why).fault])).toEqual([
    ['FAILED', fault],
    ['SKIPPED', null],
  ]);
  expect(here.handedIn).toEqual([]);
  expect(here.folders()).toEqual([]);
});

test('a site that cannot be asked is asked again, until it is too late', async () => {
  here.server.files.set('a', { bytes: BYTES });
  let failures = 0;
  here.before = async ({ verb }) => {
    if (verb === 'WRITE' && failures++ < 3) throw new Unavailable('away');
    if (verb === 'WRITE' && failures === 5) return { said: 'FULL' };
  };
  const id = await here.submit({ in: [{ from: here.server.url('a'), to: 'a' }] });
  await here.untilOver(id);
  expect(await here.execution(id)).toMatchObject({ outcome: 'COMPLETED' });
  here.before = async ({ verb }) => {
    if (verb === 'WRITE') throw new Unavailable('away');
  };
  const late = await here.submit({ in: [{ from: here.server.url('a'), to: 'a' }] });
  await here.untilOver(late);
  expect(await here.execution(late)).toMatchObject({ outcome: 'STAGING_FAILED', attempts: 0 });
  expect((await here.staging(late)).files).toMatchObject([{ state: 'FAILED', fault: 'TOO_LATE' }]);
});

test('what its server answered the last time is told of a file that came too late', async () => {
  here.server.files.set('a', { bytes: BYTES, status: 503 });
  const id = await here.submit({ in: ['a', 'b'].map((to) => ({ from: here.server.url('a'), to })) });
  await here.untilOver(id);
  const { outcome, reason } = await here.execution(id);
  expect(outcome).toBe('STAGING_FAILED');
  expect(reason).toBe(
    'its file a cannot be moved to elm: TOO_LATE: it could not be moved in time: the server answered GET with 503 last',
  );
  expect((await here.staging(id)).files).toMatchObject([{ fault: 'TOO_LATE 503' }, { fault: 'TOO_LATE' }]);
});

test('an output of which the server knows no place is not lost with the folder', async () => {
  here.server.files.set('away', { bytes: BYTES, status: 404 });
  here.onSubmit = ({ workFolder = '' }) => writeFileSync(join(workFolder, 'o'), 'all that is left');
  const id = await here.submit({ out: [{ from: 'o', to: here.server.url('away') }] });
  await here.untilOver(id);
  const { state, files, folder } = await here.staging(id);
  expect({ state, files }).toMatchObject({ state: 'KEPT', files: [{ state: 'FAILED', fault: 'SOURCE_FAULT 404' }] });
  expect(readFileSync(join(folder ?? '', 'o'), 'utf8')).toBe('all that is left');
});

test('a job that is cancelled while its files are moved leaves nothing behind', async () => {
  const { commands, principal } = here.world;
  here.server.files.set('a', { bytes: BYTES });
  let cancelled: Promise<unknown> | null = null;
  let id = '';
  here.before = async ({ verb }) => {
    if (verb !== 'WRITE') return;
    cancelled ??= cancelJob(commands, principal, { id, idempotencyKey: null });
    await cancelled;
  };
  id = await here.submit({ in: [{ from: here.server.url('a'), to: 'a' }], folder: 'KEEP' });
  await here.untilOver(id);
  expect(await here.execution(id)).toMatchObject({ outcome: 'CANCELLED', attempts: 0 });
  expect((await here.staging(id)).files).toMatchObject([{ state: 'SKIPPED' }]);
  expect(here.asked.filter(({ verb }) => verb === 'WRITE')).toHaveLength(1);
  expect(here.folders()).toEqual([]);
});

test('a worker that dies in the middle of a file is gone on for, and one that comes back writes no word', async () => {
  here.server.files.set('a', { bytes: BYTES });
  const writes = () => here.asked.filter(({ verb }) => verb === 'WRITE').length;
  const dead = new Error('killed');
  here.before = async ({ verb }) => {
    if (verb === 'WRITE' && writes() === 2) throw dead;
  };
  const id = await here.submit({ in: [{ from: here.server.url('a'), to: 'a' }] });
  const onError = async (error: unknown) => {
    if (error !== dead) throw error;
    await here.world.expireLeases();
  };
  while (writes() < 2) await here.world.step(() => here.worker(), onError);
  expect((await here.staging(id)).files).toMatchObject([{ state: 'MOVING', movedBytes: 8 << 20 }]);
  truncateSync(join((await here.staging(id)).folder ?? '', 'a'), 5);
  await here.world.until('it is handed in', async () => here.handedIn.length > 0, here.worker());
  expect((await here.staging(id)).files).toMatchObject([{ state: 'MOVED', restarts: 1, sha256: sha256(BYTES) }]);
  await here.untilOver(id);
  expect(here.handedIn).toHaveLength(1);
});

test('a folder is kept as asked, and where an output could not be moved', async () => {
  here.server.files.set('denied', { bytes: BYTES, status: 403 });
  here.onSubmit = ({ workFolder = '' }) => writeFileSync(join(workFolder, 'o'), 'all that is left');
  const kept = await here.submit({ out: [{ from: 'o', to: here.server.url('o') }], folder: 'KEEP' });
  const left = await here.submit({ out: [{ from: 'o', to: here.server.url('denied') }] });
  await here.untilOver(kept);
  await here.untilOver(left);
  expect(here.server.taken.get('o')?.toString()).toBe('all that is left');
  for (const id of [kept, left]) {
    const { folder } = await here.staging(id);
    expect(readFileSync(join(folder ?? '', 'o'), 'utf8')).toBe('all that is left');
  }
  expect((await here.staging(left)).files).toMatchObject([{ state: 'FAILED', fault: 'DENIED 403' }]);
});

test('of folders that are kept the oldest goes when there is one more than may be, and each when it is old', async () => {
  const ids: string[] = [];
  const { db } = here.world.database;
  const isGone = async (id: string) => (await here.staging(id)).state === 'ENDED';
  for (let n = 0; n <= STAGING_SETTINGS.mostKept; n++) {
    const id = await here.submit({ out: [{ from: 'o', to: here.server.url('o') }], folder: 'KEEP' });
    await here.untilOver(id);
    ids.push(id);
  }
  const [first = '', ...others] = ids;
  await here.world.until('the oldest is gone', () => isGone(first), here.worker());
  const { folder } = await here.staging(first);
  expect(existsSync(folder ?? '')).toBe(false);
  const [kept] = await findStaged(db, [await here.execution(others[0] ?? '')]);
  expect(kept?.keptUntil).toBeGreaterThan(here.world.clock.now());
  expect(existsSync(kept?.folder ?? '')).toBe(true);
  here.world.clock.advanceTo(here.world.clock.now() + STAGING_SETTINGS.keptSeconds);
  for (const id of others) await here.world.until('it is gone', () => isGone(id), here.worker());
  expect(here.folders()).toEqual([]);
});

test('an output whose address breaks again and again is given up after so much was sent in vain', async () => {
  const most = mostVainBytes(BYTES.length);
  here.server.files.set('o', { bytes: BYTES, breaks: Array.from({ length: 400 }, () => 17 << 20) });
  here.onSubmit = ({ workFolder = '' }) => writeFileSync(join(workFolder, 'o'), BYTES);
  const id = await here.submit({ out: [{ from: 'o', to: here.server.url('o') }] });
  await here.world.until('some was sent in vain', async () => (await vainBytes(id)) > 0, here.worker());
  await here.world.database.db.stagedFile.updateMany({
    where: { staging: { executionId: id } },
    data: { vainBytes: most - 1 },
  });
  await here.untilOver(id);
  const { files, state } = await here.staging(id);
  expect({ files, state }).toMatchObject({ files: [{ state: 'FAILED', fault: 'SOURCE_FAULT' }], state: 'KEPT' });
  expect(here.folders()).toHaveLength(1);
});

async function vainBytes(id: string): Promise<number> {
  const staging: StagingRow | null = await here.staging(id);
  return staging?.files[0]?.vainBytes ?? 0;
}

test('a put that breaks is begun again', async () => {
  here.server.files.set('o', { bytes: BYTES, breaks: [1 << 20, 6 << 20] });
  here.onSubmit = ({ workFolder = '' }) => writeFileSync(join(workFolder, 'o'), BYTES);
  const id = await here.submit({ out: [{ from: 'o', to: here.server.url('o') }] });
  await here.untilOver(id);
  expect(here.server.taken.get('o')?.equals(BYTES)).toBe(true);
  expect((await here.staging(id)).files).toMatchObject([{ state: 'MOVED', sha256: sha256(BYTES) }]);
});

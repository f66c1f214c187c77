import { createHash, randomBytes } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { cancelJob } from '../../../src/commands/cancel-job.ts';
import { submitArray } from '../../../src/commands/submit-array.ts';
import { seekAllOpen } from '../../../src/store/restores.ts';
import { backUp } from './backup.ts';
import { createStagingWorld, type StagingWorld } from './staging-world.ts';
import { SHORT_WORK } from './usual-work.ts';

const BYTES = randomBytes(9 << 20);
let here: StagingWorld;
beforeAll(async () => {
  here = await createStagingWorld();
});
afterAll(() => here.close());

test('a file over a broken connection is there before its job is handed in, and out after its end; its folder is gone', async () => {
  const { server } = here;
  server.files.set('a', { bytes: BYTES, breaks: [(8 << 20) + 7] });
  here.onSubmit = ({ workFolder = '' }) => {
    writeFileSync(join(workFolder, 'out'), readFileSync(join(workFolder, 'data/a')));
  };
  const stageIn = [{ from: server.url('a'), to: 'data/a' }];
  const id = await here.submit({ in: stageIn, out: [{ from: 'out', to: server.url('out') }] });
  const refused = await here.submit({ in: [{ from: server.url('none'), to: 'a' }] });
  await here.untilOver(id);
  await here.untilOver(refused);
  expect(server.taken.get('out')?.equals(BYTES)).toBe(true);
  const { files, folder } = await here.staging(id);
  const sha256 = createHash('sha256').update(BYTES).digest('hex');
  expect(files).toMatchObject([
    { state: 'MOVED', sha256 },
    { state: 'MOVED', sha256 },
  ]);
  expect(existsSync(folder ?? '')).toBe(false);
  expect(await here.execution(id)).toMatchObject({ outcome: 'COMPLETED' });
  expect(await here.execution(refused)).toMatchObject({ outcome: 'STAGING_FAILED', attempts: 0 });
  expect(here.handedIn).toHaveLength(1);
});

test('each task of an array has its own files moved in and out', async () => {
  const { server, world } = here;
  const indexes = [3, 4, 5];
  for (const index of indexes) server.files.set(`part-${index}`, { bytes: Buffer.from(`part ${index}`) });
  here.onSubmit = ({ workFolder = '' }) => {
    writeFileSync(join(workFolder, 'out'), readFileSync(join(workFolder, 'in')));
  };
  const staging = {
    in: [{ from: server.url('part-{index}'), to: 'in' }],
    out: [{ from: 'out', to: server.url('of-{index}') }],
    folder: 'REMOVE' as const,
  };
  const input = { ...SHORT_WORK, name: 'sweep', siteIds: [], deadlineAt: null, tasks: 3, firstIndex: 3, staging };
  const { groupId } = await submitArray(world.commands, world.principal, input);
  const { db } = world.database;
  const isOver = async () => {
    const open = await db.staging.count({ where: { execution: { groupId }, state: { not: 'ENDED' } } });
    return open === 0 && (await db.jobGroup.findUnique({ where: { id: groupId } }))?.endedAt !== null;
  };
  await world.until('it is over', isOver, here.worker());
  for (const index of indexes) expect(server.taken.get(`of-${index}`)?.toString()).toBe(`part ${index}`);
  expect(await db.execution.findMany({ where: { groupId, outcome: 'COMPLETED' } })).toHaveLength(3);
});

test('what comes after a job has its outputs; after a success that has lost one it never begins', async () => {
  const { server } = here;
  here.reset();
  const wereOut: boolean[] = [];
  const reasons: (string | null)[] = [];
  here.onSubmit = ({ name, workFolder = '' }) => {
    if (name === 'first') writeFileSync(join(workFolder, 'out'), BYTES);
    if (name === 'second') wereOut.push(server.taken.has('out'));
  };
  here.before = async ({ verb }) => {
    if (verb !== 'READ') return undefined;
    // Long enough for whoever would not wait.
    for (let turns = 0; turns < 20; turns++) await here.world.step(() => here.worker());
    reasons.push((await here.execution(second)).reason);
    return undefined;
  };
  const success = 'SUCCESS' as const;
  const first = await here.submit({ out: [{ from: 'out', to: server.url('out') }] }, { name: 'first' });
  const afterFirst = [{ predecessorId: first, condition: success }];
  const second = await here.submit({}, { name: 'second', after: afterFirst });
  for (const id of [first, second]) await here.untilOver(id);
  expect(reasons).toContain('it waits for the outputs of "first"');
  expect(wereOut).toEqual([true]);

  const lost = await here.submit({ out: [{ from: 'none', to: server.url('none') }] }, { name: 'lost' });
  const afterLost = (condition: 'SUCCESS' | 'ANY_END') => ({ after: [{ predecessorId: lost, condition }] });
  const never = await here.submit({}, { name: 'never', ...afterLost('SUCCESS') });
  const always = await here.submit({}, { name: 'always', ...afterLost('ANY_END') });
  for (const id of [lost, never, always]) await here.untilOver(id);
  expect(await here.execution(never)).toMatchObject({
    outcome: 'CANCELLED',
    reason: 'its predecessor "lost" completed, but its output none could not be moved',
  });
  expect(await here.execution(always)).toMatchObject({ outcome: 'COMPLETED' });
});

test('outputs that are tried again and again are given up by cancelling their job, and stay in its folder', async () => {
  const { server, world } = here;
  here.reset();
  here.onSubmit = ({ workFolder = '' }) => writeFileSync(join(workFolder, 'out'), BYTES);
  server.files.set('busy', { bytes: BYTES, status: 503 });
  const id = await here.submit({ out: [{ from: 'out', to: server.url('busy') }] }, { name: 'busy' });
  const isRefused = async () => (await here.execution(id)).settledAt !== null && (await here.staging(id)).faults > 1;
  await world.until('its output was refused twice', isRefused, here.worker());
  const cancel = () => cancelJob(world.commands, world.principal, { id, idempotencyKey: null });
  await cancel();
  await here.untilOver(id);
  const { state, files, keepsFolder } = await here.staging(id);
  expect({ state, keepsFolder, fault: files[0]?.fault }).toEqual({
    state: 'KEPT',
    keepsFolder: false,
    fault: 'TOO_LATE 503',
  });
  expect(await here.execution(id)).toMatchObject({ outcome: 'COMPLETED', cancelRequestedAt: null });
  await expect(cancel()).rejects.toThrow('nothing is left to cancel');
});

test('in a restored database nothing is moved into the folder of a job that runs, and outputs that are lost are told', async () => {
  const { server, world } = here;
  here.reset();
  server.files.set('in', { bytes: BYTES });
  here.onSubmit = ({ workFolder = '' }) => writeFileSync(join(workFolder, 'out'), BYTES);
  const files = { in: [{ from: server.url('in'), to: 'in' }], out: [{ from: 'out', to: server.url('out') }] };
  const id = await here.submit(files, { name: 'restored' });
  const restore = await backUp(world.database);
  const isAtSite = async () => (await here.execution(id)).nativeId !== null;
  await world.until('its site has it', isAtSite, here.worker());
  await restore();
  await seekAllOpen(world.database.db, world.clock.now());
  const asked = here.asked.length;
  await here.untilOver(id);
  expect(here.handedIn.filter(({ name }) => name === 'restored')).toHaveLength(1);
  expect(here.asked.slice(asked).filter(({ verb }) => verb === 'MAKE' || verb === 'WRITE')).toEqual([]);
  expect(await here.execution(id)).toMatchObject({ outcome: 'COMPLETED', attempts: 1 });
  const out = (await here.staging(id)).files.find(({ direction }) => direction === 'OUT');
  expect(out).toMatchObject({ state: 'FAILED', fault: 'NOT_FOUND' });
});

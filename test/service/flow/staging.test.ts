import { createHash, randomBytes } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { submitArray } from '../../../src/commands/submit-array.ts';
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

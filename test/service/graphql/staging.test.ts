import { afterAll, beforeAll, expect, test } from 'vitest';
import { SITE_REQUEST_NAMES } from '../../../src/domain/resources.ts';
import { type ApiWorld, createApiWorld, work } from './api-world.ts';

let world: ApiWorld;
beforeAll(async () => {
  world = await createApiWorld();
});
afterAll(() => world.close());

const FILES = 'stagingFolder stagedFiles { path direction state bytes movedBytes sha256 fault reason }';
const SECRET = 'https://store.example/a?X-Signature=secret';

async function submit(input: object) {
  const query = `mutation ($input: SubmitJobInput!) { submitJob(input: $input) {
    userErrors { code field message } job { id ${FILES} } } }`;
  const { data, errors } = await world.ask(world.tokens.gateway, query, { input: { ...work, ...input } });
  expect(errors).toBeUndefined();
  return data.submitJob;
}

async function honour(honours: readonly string[]) {
  await world.stores.database.db.site.updateMany({ data: { honours: [...honours] } });
}

test('files of a job are read back as they are asked, and by its own tenant alone', async () => {
  await honour(SITE_REQUEST_NAMES);
  const stageIn = [{ from: SECRET, to: 'data/a', bytes: 7, sha256: 'AB'.repeat(32) }];
  const { job, userErrors } = await submit({ stageIn, stageOut: [{ from: 'r', to: SECRET }], keepWorkFolder: 'KEEP' });
  await honour([]);
  expect(userErrors).toEqual([]);
  const waiting = { state: 'WAITING', bytes: null, movedBytes: 0, sha256: null, fault: null, reason: null };
  const files = [
    { path: 'data/a', direction: 'IN', ...waiting },
    { path: 'r', direction: 'OUT', ...waiting },
  ];
  expect(job).toMatchObject({ stagingFolder: null, stagedFiles: files });
  const query = `query ($id: ID!) { job(id: $id) { ${FILES} } }`;
  expect((await world.ask(world.tokens.gateway, query, { id: job.id })).data.job.stagedFiles).toEqual(files);
  const { data } = await world.ask(world.tokens.stranger, query, { id: job.id });
  expect(data.job).toBeNull();
});

test('a site that moves no files does not take the job, and says so', async () => {
  await honour(['workFolder']);
  const { job, userErrors } = await submit({ stageIn: [{ from: SECRET, to: 'a' }] });
  expect(job).toBeNull();
  expect(userErrors).toMatchObject([{ code: 'NO_ELIGIBLE_SITE' }]);
  expect(userErrors[0].message).toContain('quick does not honour staging');
  expect(JSON.stringify(userErrors)).not.toContain('secret');
});

test('a path that no site has opened to be copied from is refused at once, with what to do', async () => {
  await honour(SITE_REQUEST_NAMES);
  const { job, userErrors } = await submit({
    stageIn: [
      { from: SECRET, to: 'a' },
      { from: '/etc/passwd', to: 'b' },
    ],
  });
  await honour([]);
  expect(job).toBeNull();
  expect(userErrors).toMatchObject([{ code: 'NO_ELIGIBLE_SITE', field: 'input.stageIn[1].from' }]);
  expect(userErrors[0].message).toContain('stageIn[1] is from "/etc/passwd": give a URL, or have its admins name');
});

test('what is wrong with files is told all at once, without what may be secret', async () => {
  const stageIn = [
    { from: 'ftp://store.example/a?secret', to: '../a' },
    { from: SECRET, to: 'a', bytes: 0.5 },
  ];
  const { job, userErrors } = await submit({ stageIn, workFolder: '/x' });
  expect(job).toBeNull();
  expect(userErrors.map(({ field }: { field: string }) => field)).toEqual([
    'input.workFolder',
    'input.stageIn[0].from',
    'input.stageIn[0].to',
    'input.stageIn[1].bytes',
  ]);
  expect(JSON.stringify(userErrors)).not.toContain('secret');
});

const PROMISES = {
  reserve: 'mutation ($input: ReserveInput!) { reserve(input: $input) { userErrors { message } } }',
  coAllocate: 'mutation ($input: CoAllocateInput!) { coAllocate(input: $input) { userErrors { message } } }',
};
const PROMISE = { startAt: new Date(2e12), probability: 0.5 };
const FILES_OF = { stageIn: [{ from: SECRET, to: 'a' }] };

test.each([
  ['a reservation', PROMISES.reserve, { ...work, ...PROMISE, ...FILES_OF }, 'input.stageIn'],
  ['its folder', PROMISES.reserve, { ...work, ...PROMISE, keepWorkFolder: 'KEEP' }, 'input.keepWorkFolder'],
  ['a leg', PROMISES.coAllocate, { ...PROMISE, legs: [work, { ...work, ...FILES_OF }] }, 'input.legs[1].stageIn'],
])('files of %s are refused by name with what to do, and without what may be secret', async (_, query, input, field) => {
  const before = await world.countRows();
  const { errors } = await world.ask(world.tokens.gateway, query, { input });
  expect(errors).toMatchObject([{ extensions: { code: 'INVALID', field } }]);
  expect(errors?.[0].message).toContain(`${field}: no files are moved for a job that is promised; have the files at`);
  expect(JSON.stringify([errors, world.logged])).not.toContain('secret');
  expect(await world.countRows()).toEqual(before);
});

test('files in a literal of a promise are refused in the same words', async () => {
  const query = `mutation { reserve(input: { script: "x", startAt: "2040-01-01T00:00:00Z", probability: 0.5,
    stageOut: [{ from: "r", to: "${SECRET}" }] }) { userErrors { message } } }`;
  const { errors } = await world.ask(world.tokens.gateway, query);
  expect(errors).toMatchObject([{ extensions: { code: 'INVALID', field: 'input.stageOut' } }]);
  expect(JSON.stringify(errors)).not.toContain('secret');
});

test('files of a job that is promised to finish are refused by name with what to do', async () => {
  await honour(SITE_REQUEST_NAMES);
  const { job, userErrors } = await submit({ ...FILES_OF, finishBy: { at: new Date(2e12), probability: 0.5 } });
  await honour([]);
  expect(job).toBeNull();
  const message = expect.stringContaining('leave finishBy out, or have the files at the site');
  expect(userErrors).toContainEqual({ code: 'INVALID', field: 'input.finishBy', message });
});

import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { toGlobalId } from '../../../src/graphql/shared/global-id.ts';
import { readRecordsAfter, saveRecords } from '../../../src/store/records.ts';
import { runCli } from '../cli/run-cli.ts';
import { type ApiWorld, createApiWorld, unknownId } from '../graphql/api-world.ts';
import { expectForgotten, idOf, LOG, ORIGIN, take, undo } from './undone-import.ts';

let world: ApiWorld;
beforeAll(async () => {
  world = await createApiWorld();
});
afterAll(() => world.close());

const count = (siteId: string) => world.stores.database.db.record.count({ where: { siteId } });

test('a forecast after an import that was undone is the one from before', () => expectForgotten(world));

test('what the site or another import has told of since stays', async () => {
  const siteId = idOf(world.sites.slow);
  const before = await count(siteId);
  const first = await take(world, siteId, LOG);
  const find = async () =>
    (await readRecordsAfter(world.stores.database.db, siteId, 0, 10_000)).find(({ nativeId }) => nativeId === '5000');
  const told = await find();
  if (!told) throw new Error('it was imported');
  await world.stores.database.transaction((tx) => saveRecords(tx, siteId, [told]));
  expect(await find()).toEqual(told);
  const second = await take(world, siteId, LOG.slice(1, 10));
  expect(second).toMatchObject({ imported: 0, changed: 0 });
  expect(await undo(world, second.importId)).toMatchObject({ removed: 0 });
  expect(await undo(world, first.importId)).toMatchObject({ removed: 390 });
  expect(await count(siteId)).toBe(before + 10);
});

test('imports are listed and undone by admins', async () => {
  const LIST = '{ site(name: "stale") { imports { id imported removed importedBy } } }';
  const UNDO = `mutation ($input: UndoImportInput!) {
    undoImport(input: $input) { removed site { name records } userErrors { code field } }
  }`;
  await take(world, idOf(world.sites.stale), LOG.slice(0, 3));
  const { data } = await world.ask(world.tokens.admin, LIST);
  const [row] = data.site.imports;
  expect(row).toEqual({ id: row.id, imported: 3, removed: null, importedBy: 'workflow' });
  expect((await world.ask(world.tokens.workflow, LIST)).data.site.imports).toBeNull();
  const answer = async (token: string, id: string) => (await world.ask(token, UNDO, { input: { id } })).data.undoImport;
  expect(await answer(world.tokens.workflow, row.id)).toMatchObject({ userErrors: [{ code: 'FORBIDDEN' }] });
  const unknown = { userErrors: [{ code: 'NOT_FOUND', field: 'input.id' }] };
  expect(await answer(world.tokens.admin, unknownId('Import'))).toMatchObject(unknown);
  expect(await answer(world.tokens.admin, world.sites.stale)).toMatchObject(unknown);
  expect(await answer(world.tokens.admin, row.id)).toEqual({
    removed: 3,
    site: { name: 'stale', records: 800 },
    userErrors: [],
  });
});

test('the command line lists imports and takes them back', async () => {
  const gridcast = (...args: string[]) => runCli(...args, '--url', world.api.url, '--token', world.tokens.admin);
  const { importId } = await take(world, idOf(world.sites.slow), [
    '9000 0 10 60 1 -1 -1 1 900 -1 1 3 1 -1 -1 -1 -1 -1',
  ]);
  const id = toGlobalId('Import', importId);
  const [newest] = (await gridcast('import', 'list', 'slow', '--json')).json();
  expect(newest).toMatchObject({ id, imported: 1, undoneAt: null });
  expect(await gridcast('import', 'undo', id)).toMatchObject({ exitCode: 0, stdout: expect.stringContaining('1 rec') });
  expect((await gridcast('import', 'undo', id)).exitCode).toBe(1);
  const file = join(mkdtempSync(join(tmpdir(), 'gridcast-log-')), 'log.swf');
  writeFileSync(file, `${LOG[0]}\n`);
  const origin = new Date(ORIGIN * 1000).toISOString();
  const run = await gridcast('import', 'stale', file, '--origin', origin);
  expect(run).toMatchObject({ exitCode: 0, stdout: expect.stringContaining('gridcast import undo') });
});

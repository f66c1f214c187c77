import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { importHistory } from '../../../src/commands/import-history.ts';
import { undoImport } from '../../../src/commands/undo-import.ts';
import { fromGlobalId, toGlobalId } from '../../../src/graphql/shared/global-id.ts';
import type { Principal } from '../../../src/store/principals.ts';
import { saveRecords } from '../../../src/store/records.ts';
import { runCli } from '../cli/run-cli.ts';
import { type ApiWorld, createApiWorld, NOW, unknownId } from '../graphql/api-world.ts';

let world: ApiWorld;
let admin: Principal;
beforeAll(async () => {
  world = await createApiWorld({}, { predictor: 'wait/gridcast' });
  admin = { ...world.principal, role: 'ADMIN' };
});
afterAll(() => world.close());

const idOf = (globalId: string) => fromGlobalId(globalId)?.id ?? '';

/** Jobs that waited a day each: another machine's log. */
const LOG = Array.from(
  { length: 400 },
  (_, n) => `${n + 5000} ${n * 100} 86400 60 1 -1 -1 1 900 -1 1 3 1 -1 -1 -1 -1 -1`,
);
const ORIGIN = NOW - 20 * 86_400;

async function forecast(siteId: string) {
  while ((await world.forecaster.stateOf(siteId)).isLearning) await sleep(50);
  // Models answer as they are for a moment before they look for what is new.
  await sleep(60);
  while ((await world.forecaster.stateOf(siteId)).isLearning) await sleep(50);
  const query = { queue: 'batch', user: null, processors: 4, requestedWalltimeSeconds: 3600, submitAt: NOW };
  const [answer] = await world.forecaster.forecastWaits(siteId, [query]);
  return answer;
}

const take = (siteId: string, lines: readonly string[]) => {
  const input = { siteId, content: `${lines.join('\n')}\n`, originAt: ORIGIN, idempotencyKey: null };
  return importHistory(world.commands, admin, input);
};
const undo = (importId: string) => undoImport(world.commands, admin, { importId, idempotencyKey: null });
const count = (siteId: string) => world.stores.database.db.record.count({ where: { siteId } });

test('a forecast after an import that was undone is the one from before', async () => {
  const siteId = idOf(world.sites.quick);
  const before = await forecast(siteId);
  const { importId, imported } = await take(siteId, LOG);
  expect(imported).toBe(400);
  expect(await forecast(siteId)).not.toEqual(before);
  expect(await undo(importId)).toEqual({ importId, siteId, removed: 400 });
  expect(await forecast(siteId)).toEqual(before);
  await expect(undo(importId)).rejects.toMatchObject({ code: 'ALREADY_ENDED', field: 'input.id' });
}, 240_000);

test('what the site or another import has told of since stays', async () => {
  const siteId = idOf(world.sites.slow);
  const before = await count(siteId);
  const first = await take(siteId, LOG);
  const [told] = await world.stores.database.db.record.findMany({ where: { siteId, nativeId: '5000' } });
  if (!told) throw new Error('it was imported');
  const { importId: _i, siteId: _s, revision, ...record } = told;
  const seconds = (date: Date | null) => date && date.getTime() / 1000;
  const times = {
    submitAt: seconds(record.submitAt) ?? 0,
    startAt: seconds(record.startAt),
    endAt: seconds(record.endAt),
  };
  await world.stores.database.transaction((tx) => saveRecords(tx, siteId, [{ ...record, ...times }]));
  const again = await world.stores.database.db.record.findFirst({ where: { siteId, nativeId: '5000' } });
  expect(again?.revision).toBe(revision);
  const second = await take(siteId, LOG.slice(1, 10));
  expect(second).toMatchObject({ imported: 0, changed: 0 });
  expect(await undo(second.importId)).toMatchObject({ removed: 0 });
  expect(await undo(first.importId)).toMatchObject({ removed: 390 });
  expect(await count(siteId)).toBe(before + 10);
});

test('imports are listed and undone by admins', async () => {
  const LIST = '{ site(name: "stale") { imports { id imported removed importedBy } } }';
  const UNDO = `mutation ($input: UndoImportInput!) {
    undoImport(input: $input) { removed site { name records } userErrors { code field } }
  }`;
  await take(idOf(world.sites.stale), LOG.slice(0, 3));
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
  const { importId } = await take(idOf(world.sites.slow), ['9000 0 10 60 1 -1 -1 1 900 -1 1 3 1 -1 -1 -1 -1 -1']);
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

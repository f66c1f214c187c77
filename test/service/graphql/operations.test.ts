import { existsSync, readFileSync } from 'node:fs';
import { gunzipSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { fromGlobalId } from '../../../src/graphql/shared/global-id.ts';
import { NEVER_LOOKED_AT } from '../../../src/predict/down-time.ts';
import { saveDownTime } from '../../../src/store/down-time.ts';
import { takeWakeUps } from '../../../src/store/outbox.ts';
import { type ApiWorld, createApiWorld, HOUR, moment, NOW, work } from './api-world.ts';
import { DRAIN_SITE, IMPORT_HISTORY, REGISTER_SITE, RESERVE, SUBMIT, UPDATE_SITE } from './documents.ts';

let world: ApiWorld;
beforeAll(async () => {
  world = await createApiWorld();
});
afterAll(() => world.close());

const administrate = async (document: string, name: string, input: object) => {
  const { data, errors } = await world.ask(world.tokens.admin, document, { input });
  expect(errors).toBeUndefined();
  expect(data[name].userErrors).toEqual([]);
  return data[name];
};

const wakeUps = () => world.stores.database.transaction((tx) => takeWakeUps(tx, 1000));

describe('registerSite', () => {
  test('writes the site down and has it observed', async () => {
    const configuration = { url: 'http://127.0.0.1:1', secret: 'not shown' };
    const input = { name: 'fresh', adapter: 'simulator', configuration };
    const { site } = await administrate(REGISTER_SITE, 'registerSite', input);
    expect(site).toEqual({
      id: site.id,
      name: 'fresh',
      adapter: 'simulator',
      state: 'ACTIVE',
      observedAt: null,
      stale: true,
      processors: 0,
    });
    const siteId = fromGlobalId(site.id)?.id;
    expect(await wakeUps()).toMatchObject([
      { kind: 'SITE', targetId: siteId, wakeAt: NOW, requestId: expect.any(String) },
    ]);
    const row = await world.stores.database.db.site.findFirstOrThrow({ where: { name: 'fresh' } });
    expect(row.configuration).toEqual(configuration);
  });

  test('of a new site keeps jobs but no promises', async () => {
    const { data } = await world.ask(world.tokens.admin, '{ site(name: "fresh") { id } }');
    const siteIds = [data.site.id];
    expect(
      (await world.ask(world.tokens.admin, SUBMIT, { input: { ...work, siteIds } })).data.submitJob.userErrors,
    ).toEqual([]);
    const input = { ...work, siteIds, startAt: moment(NOW + HOUR), probability: 0.5 };
    expect((await world.ask(world.tokens.admin, RESERVE, { input })).data.reserve.userErrors).toMatchObject([
      { code: 'STALE_SITE', message: expect.stringContaining('never observed') },
    ]);
  });
});

describe('updateSite', () => {
  const register = async (name: string, machine = name) => {
    const configuration = { url: 'http://127.0.0.1:1', site: machine };
    return (await administrate(REGISTER_SITE, 'registerSite', { name, adapter: 'simulator', configuration })).site.id;
  };
  const rowOf = (id: string) =>
    world.stores.database.db.site.findUniqueOrThrow({ where: { id: fromGlobalId(id)?.id ?? '' } });
  const refusal = async (input: object) =>
    (await world.ask(world.tokens.admin, UPDATE_SITE, { input })).data.updateSite.userErrors;

  test('mends a wrong address and has the site observed at once', async () => {
    const id = await register('wrong-port');
    await wakeUps();
    const later = new Date((NOW + 3600) * 1000);
    const { db } = world.stores.database;
    await db.site.updateMany({ where: { name: 'wrong-port' }, data: { fault: 'no answer', wakeAt: later } });
    const configuration = { url: 'http://127.0.0.1:2', site: 'mended' };
    await administrate(UPDATE_SITE, 'updateSite', { id, configuration });
    expect(await rowOf(id)).toMatchObject({
      name: 'wrong-port',
      configuration,
      fault: null,
      wakeAt: new Date(NOW * 1000),
    });
    expect(await wakeUps()).toMatchObject([{ kind: 'SITE', targetId: fromGlobalId(id)?.id, wakeAt: NOW }]);
  });

  test('takes no machine twice, neither new nor changed', async () => {
    const [one, two] = [await register('one-machine'), await register('two-machines')];
    const configuration = { url: 'http://127.0.0.1:1', site: 'one-machine', timeoutMilliseconds: 5 };
    const known = {
      code: 'INVALID',
      field: 'input.configuration',
      message: expect.stringContaining('site one-machine is'),
    };
    expect(await refusal({ id: two, configuration })).toMatchObject([known]);
    const again = { name: 'again', adapter: 'simulator', configuration };
    const answer = await world.ask(world.tokens.admin, REGISTER_SITE, { input: again });
    expect(answer.data.registerSite.userErrors).toMatchObject([known]);
    await administrate(UPDATE_SITE, 'updateSite', { id: one, configuration });
  });

  test('renames a site and frees its name', async () => {
    const id = await register('old-name');
    await administrate(UPDATE_SITE, 'updateSite', { id, name: 'new-name' });
    expect((await rowOf(id)).name).toBe('new-name');
    expect(await register('old-name', 'another')).not.toBe(id);
    expect(await refusal({ id, name: 'old-name' })).toMatchObject([{ code: 'NAME_TAKEN', field: 'input.name' }]);
  });

  test('changes nothing when anything is wrong', async () => {
    const id = await register('unchanged');
    const before = await rowOf(id);
    expect(await refusal({ id })).toMatchObject([{ code: 'INVALID' }]);
    expect(await refusal({ id, name: 'no good' })).toMatchObject([{ code: 'INVALID', field: 'input.name' }]);
    expect(await refusal({ id, name: 'fine', configuration: {} })).toMatchObject([
      { code: 'INVALID', field: 'input.configuration' },
    ]);
    const input = { id, name: 'fine' };
    expect((await world.ask(world.tokens.gateway, UPDATE_SITE, { input })).data.updateSite.userErrors).toMatchObject([
      { code: 'FORBIDDEN' },
    ]);
    expect(await rowOf(id)).toEqual(before);
  });
});

describe('drainSite', () => {
  test('takes the right to new work and gives it back', async () => {
    const id = world.sites.slow;
    expect(await administrate(DRAIN_SITE, 'drainSite', { id })).toMatchObject({
      site: { name: 'slow', state: 'DRAINING' },
    });
    const input = { ...work, siteIds: [id] };
    expect((await world.ask(world.tokens.gateway, SUBMIT, { input })).data.submitJob.userErrors).toMatchObject([
      { code: 'NO_ELIGIBLE_SITE', message: expect.stringContaining('slow is draining') },
    ]);
    await administrate(DRAIN_SITE, 'drainSite', { id, drain: false });
    expect((await world.ask(world.tokens.gateway, SUBMIT, { input })).data.submitJob.userErrors).toEqual([]);
  });
});

describe('removeSite', () => {
  const REMOVE = `mutation ($input: RemoveSiteInput!) {
    removeSite(input: $input) { site { name state removedAt } userErrors { code field } }
  }`;

  test('lets a site go whose past stays readable, and frees its name', async () => {
    const site = { name: 'passing', adapter: 'simulator', configuration: { url: 'http://127.0.0.1:3' } };
    const { id } = (await administrate(REGISTER_SITE, 'registerSite', site)).site;
    const input = { id };
    const refused = await world.ask(world.tokens.workflow, REMOVE, { input });
    expect(refused.data.removeSite.userErrors).toMatchObject([{ code: 'FORBIDDEN' }]);
    expect((await administrate(REMOVE, 'removeSite', input)).site).toEqual({
      name: 'passing',
      state: 'REMOVING',
      removedAt: moment(NOW),
    });
    const { data } = await world.ask(
      world.tokens.gateway,
      'query ($id: ID!) { node(id: $id) { ... on Site { name removedAt } } sites { name } site(name: "passing") { id } }',
      input,
    );
    expect(data).toMatchObject({ node: { name: 'passing', removedAt: moment(NOW) }, site: null });
    expect(data.sites.map(({ name }: { name: string }) => name)).not.toContain('passing');
    for (const [document, field] of [
      [DRAIN_SITE, 'drainSite'],
      [REMOVE, 'removeSite'],
    ] as const) {
      const again = await world.ask(world.tokens.admin, document, { input });
      expect(again.data[field].userErrors).toMatchObject([{ code: 'NOT_FOUND', field: 'input.id' }]);
    }
    expect((await administrate(REGISTER_SITE, 'registerSite', site)).site.id).not.toBe(id);
  });
});

describe('importHistory', () => {
  const log = [
    `; UnixStartTime: ${NOW - 1_000_000}`,
    '; MaxProcs: 64',
    '; Queue: 1 express',
    '1 0 10 600 4 -1 -1 4 900 -1 1 3 1 -1 1 -1 -1 -1',
    '2 100 20 600 -1 -1 -1 8 900 -1 0 3 1 -1 1 -1 -1 -1',
    '3 200 50 -1 -1 -1 -1 8 900 -1 5 4 1 -1 1 -1 -1 -1',
    '4 300 50 60 -1 -1 -1 -1 900 -1 1 4 1 -1 1 -1 -1 -1',
    '',
  ].join('\n');

  test('takes a log in and leaves the looks at the site when they were', async () => {
    await wakeUps();
    const siteId = world.sites.slow;
    const nextLook = () =>
      world.stores.database.db.site.findFirstOrThrow({ where: { name: 'slow' }, select: { wakeAt: true } });
    const before = await nextLook();
    const first = await administrate(IMPORT_HISTORY, 'importHistory', { siteId, content: log });
    expect(first).toMatchObject({ imported: 3, changed: 0, skipped: 1, site: { name: 'slow', records: 803 } });
    expect(await wakeUps()).toEqual([]);
    expect(await nextLook()).toEqual(before);
    const records = await world.stores.database.db.record.findMany({
      where: { queue: 'express' },
      orderBy: { submitAt: 'asc' },
    });
    const origin = NOW - 1_000_000;
    const seconds = (date: Date | null) => date && date.getTime() / 1000 - origin;
    expect(
      records.map(({ nativeId, processors, outcome, submitAt, startAt, endAt, user }) => ({
        nativeId,
        processors,
        outcome,
        user,
        times: [submitAt, startAt, endAt].map(seconds),
      })),
    ).toEqual([
      { nativeId: '1', processors: 4, outcome: 'COMPLETED', user: '3', times: [0, 10, 610] },
      { nativeId: '2', processors: 8, outcome: 'FAILED', user: '3', times: [100, 120, 720] },
      { nativeId: '3', processors: 8, outcome: 'CANCELLED', user: '4', times: [200, null, 250] },
    ]);
  });

  test('takes accounting in, and tells what it left out; the format asked for is kept to', async () => {
    const siteId = world.sites.slow;
    const at = NOW - 500_000;
    const rows = [
      'jobid,user,group,jobname,queue,qtime,start,end,procs,req_walltime,used_mem,used_cput,exit_status',
      `900.m1,ann,staff,wrf,express,${at},${at + 60},${at + 160},4,3600,2kb,300,0`,
      `901.m1,ann,staff,wrf,express,${at},${at - 60},,4,3600,2kb,300,0`,
      `902.m1,ann,staff,wrf,express,,${at},,4,3600,2kb,300,0`,
    ];
    const content = rows.join('\r\n');
    const input = { siteId, content, format: 'CSV', idempotencyKey: 'accounting' };
    const told = await administrate(IMPORT_HISTORY, 'importHistory', input);
    expect(told).toMatchObject({ imported: 1, changed: 0, skipped: 1 });
    expect(told.remarks).toContainEqual({ reason: 'no submission time, skipped', count: 1 });
    expect(told.remarks).toContainEqual({ reason: 'neither its start nor its end is told, left out', count: 1 });
    expect(await administrate(IMPORT_HISTORY, 'importHistory', input)).toEqual(told);
    const record = await world.stores.database.db.record.findFirstOrThrow({ where: { nativeId: '900.m1' } });
    expect(record).toMatchObject({ programName: 'wrf', group: 'staff', cpuSeconds: 300, memoryBytes: 2048 });
    expect(record.submitAt.getTime() / 1000).toBe(at);
    await world.stores.database.db.record.deleteMany({ where: { nativeId: '900.m1' } });
    const asSwf = await world.ask(world.tokens.admin, IMPORT_HISTORY, { input: { siteId, content, format: 'SWF' } });
    expect(asSwf.data.importHistory.userErrors).toMatchObject([
      { code: 'INVALID', field: 'input.content', message: 'the log, line 1: this is csv, not swf' },
    ]);
  });

  test('taken in again brings nothing new; one that knows more changes what is known', async () => {
    const siteId = world.sites.slow;
    const again = gzipSync(log).toString('base64');
    expect(await administrate(IMPORT_HISTORY, 'importHistory', { siteId, content: again })).toMatchObject({
      imported: 0,
      changed: 0,
      skipped: 4,
    });
    const running = `${log}5 400 10 -1 4 -1 -1 4 900 -1 -1 3 1 -1 1 -1 -1 -1\n`;
    expect(await administrate(IMPORT_HISTORY, 'importHistory', { siteId, content: running })).toMatchObject({
      imported: 1,
    });
    const ended = `${log}5 400 10 70 4 -1 -1 4 900 -1 1 3 1 -1 1 -1 -1 -1\n`;
    expect(await administrate(IMPORT_HISTORY, 'importHistory', { siteId, content: ended })).toMatchObject({
      imported: 0,
      changed: 1,
    });
  });

  test('may be told when the log begins', async () => {
    const content = '1 0 10 600 4 -1 -1 4 900 -1 1 3 1 -1 1 -1 -1 -1\n';
    const originAt = moment(NOW - 5000);
    const siteId = world.sites.stale;
    expect(await administrate(IMPORT_HISTORY, 'importHistory', { siteId, content, originAt })).toMatchObject({
      imported: 1,
    });
  });

  test('teaches the forecaster', async () => {
    const lines = Array.from(
      { length: 400 },
      (_, id) => `${id + 1} ${id * 100} 5000 60 1 -1 -1 1 900 -1 1 3 1 -1 -1 -1 -1 -1`,
    );
    const { data } = await world.ask(world.tokens.admin, '{ site(name: "fresh") { id } }');
    const input = { siteId: data.site.id, content: lines.join('\n'), originAt: moment(NOW - 100_000) };
    expect(await administrate(IMPORT_HISTORY, 'importHistory', input)).toMatchObject({ imported: 400 });
    await new Promise((resolve) => setTimeout(resolve, 100));
    const asked = await world.ask(
      world.tokens.admin,
      'query($siteId: ID!) { forecast(siteId: $siteId, input: { processors: 1, walltimeSeconds: 60 }) { pointSeconds sampleSize } }',
      { siteId: data.site.id },
    );
    expect(asked.data.forecast.sampleSize).toBeGreaterThan(59);
    expect(asked.data.forecast.pointSeconds).toBe(5000);
  });

  const trace = new URL('../../../../shared/traces/KTH-SP2-1996-2.1-cln.swf.gz', import.meta.url);
  test.skipIf(!existsSync(trace))(
    'takes a real log of years in (skipped where ../shared/traces is not there)',
    async () => {
      const packed = readFileSync(trace);
      const jobs = gunzipSync(packed)
        .toString()
        .split('\n')
        .filter((line) => /^\s*\d/.test(line)).length;
      const begunAt = performance.now();
      const input = { siteId: world.sites.quick, content: packed.toString('base64') };
      const { imported, skipped } = await administrate(IMPORT_HISTORY, 'importHistory', input);
      expect(imported + skipped).toBe(jobs);
      expect(imported / jobs).toBeGreaterThan(0.99);
      console.info(`imported ${imported} jobs in ${Math.round(performance.now() - begunAt)} ms`);
    },
  );

  const mason = new URL('../../../../shared/traces/mason-2017Q4.csv.gz', import.meta.url);
  test.skipIf(!existsSync(mason))(
    'takes a real log of Torque in, with names and use (skipped where ../shared/traces is not there)',
    async () => {
      const { db } = world.stores.database;
      const input = { siteId: world.sites.quick, content: readFileSync(mason).toString('base64') };
      const told = await administrate(IMPORT_HISTORY, 'importHistory', input);
      expect(told.imported).toBeGreaterThan(16_000);
      console.info(`imported ${told.imported} jobs, ${told.skipped} skipped: ${JSON.stringify(told.remarks)}`);
      expect(await db.record.count({ where: { cpuSeconds: { not: null } } })).toBe(told.imported);
      const names = await db.record.groupBy({ by: ['programName'], where: { programName: { not: null } } });
      expect(names.length).toBeGreaterThan(8500);
    },
  );
});

describe('a site that is taken to be down', () => {
  test('takes no promise, and shows admins its evidence', async () => {
    const id = fromGlobalId(world.sites.quick)?.id ?? '';
    const sinceAt = NOW - 1200;
    const explanation = 'it has not answered 5 looks in 20 min: connection refused';
    const evidence = [{ sign: 'UNREACHABLE' as const, sinceAt, observed: 1200, limit: 900, explanation }];
    const { transaction } = world.stores.database;
    const look = (isDown: boolean) =>
      transaction((tx) => saveDownTime(tx, id, NEVER_LOOKED_AT, { isDown, evidence: isDown ? evidence : [] }, NOW));
    expect(await look(true)).toBe('SUSPENDED');

    const query = `query($id: ID!) { site(id: $id) { state downTime { isDown suspendedAt
      evidence { sign sinceAt observed limit explanation } } } }`;
    const shown = await world.ask(world.tokens.admin, query, { id: world.sites.quick });
    const downTime = {
      isDown: true,
      suspendedAt: moment(NOW),
      evidence: [{ ...evidence[0], sinceAt: moment(sinceAt) }],
    };
    expect(shown.data.site).toEqual({ state: 'SUSPENDED', downTime });
    const hidden = await world.ask(world.tokens.gateway, query, { id: world.sites.quick });
    expect(hidden.data.site).toEqual({ state: 'SUSPENDED', downTime: null });

    const wish = { ...work, startAt: moment(NOW + 6 * HOUR), probability: 0.9, siteIds: [world.sites.quick] };
    const refused = await world.ask(world.tokens.workflow, RESERVE, { input: wish });
    expect(refused.data.reserve.userErrors).toMatchObject([{ code: 'SUSPENDED_SITE' }]);
    const { message } = refused.data.reserve.userErrors[0];
    expect(message).toContain(`quick has not answered since ${moment(sinceAt).slice(0, 19)}Z, 20 m ago`);
    expect(message).not.toContain('connection refused');

    expect(await look(false)).toBe('RESUMED');
    const answered = await world.ask(world.tokens.workflow, RESERVE, { input: { ...wish, probability: 0.1 } });
    expect(answered.data.reserve.userErrors).toEqual([]);
  });
});

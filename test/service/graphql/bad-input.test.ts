import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ApiWorld, createApiWorld, HOUR, moment, NOW, unknownId, work } from './api-world.ts';
import { CANCEL_JOB, CO_ALLOCATE, IMPORT_HISTORY, REGISTER_SITE, RESERVE, SUBMIT } from './documents.ts';

let world: ApiWorld;
beforeAll(async () => {
  world = await createApiWorld({ maxScriptBytes: 2000 });
});
afterAll(() => world.close());

interface BadInput {
  readonly what: string;
  readonly input: () => Record<string, unknown>;
  readonly code: string;
  readonly field: string | null;
  /** Words that tell value and remedy. */
  readonly says: RegExp;
}

/** Sends a mutation and expects exactly this error, and that no row was written or taken away. */
async function expectRefusal(document: string, name: string, { input, code, field, says }: BadInput): Promise<void> {
  const before = await world.countRows();
  const answer = await world.ask(world.tokens.admin, document, { input: input() });
  expect(answer.errors).toBeUndefined();
  const { userErrors, ...payload } = answer.data[name];
  expect(userErrors).toEqual([{ code, field, message: expect.stringMatching(says) }]);
  // The field comes with the message, which does not say it once more.
  expect(userErrors[0].message).not.toContain('input.');
  expect(Object.values(payload).every((value) => value === null)).toBe(true);
  expect(await world.countRows()).toEqual(before);
}

const only = (site: 'quick' | 'slow' | 'stale') => [world.sites[site]];

describe('submitJob refuses', () => {
  const cases: BadInput[] = [
    {
      what: 'an unknown site',
      input: () => ({ ...work, siteIds: [world.sites.quick, unknownId('Site')] }),
      code: 'NOT_FOUND',
      field: 'input.siteIds[1]',
      says: /no such site/,
    },
    {
      what: 'an id that is none',
      input: () => ({ ...work, siteIds: ['quick'] }),
      code: 'NOT_FOUND',
      field: 'input.siteIds[0]',
      says: /no such site/,
    },
    {
      what: 'a negative size',
      input: () => ({ ...work, processors: -4 }),
      code: 'INVALID',
      field: 'input.processors',
      says: /from 1 to .*got -4/,
    },
    {
      what: 'no processors',
      input: () => ({ ...work, processors: 0 }),
      code: 'INVALID',
      field: 'input.processors',
      says: /from 1/,
    },
    {
      what: 'an absurd size',
      input: () => ({ ...work, processors: 2_000_000_000 }),
      code: 'INVALID',
      field: 'input.processors',
      says: /got 2000000000/,
    },
    {
      what: 'a size no site has',
      input: () => ({ ...work, processors: 1000 }),
      code: 'NO_ELIGIBLE_SITE',
      field: 'input.processors',
      says: /1000 processors asked for, quick has 64.*slow has 256/,
    },
    {
      what: 'a negative walltime',
      input: () => ({ ...work, walltimeSeconds: -1 }),
      code: 'INVALID',
      field: 'input.walltimeSeconds',
      says: /got -1/,
    },
    {
      what: 'an absurd walltime',
      input: () => ({ ...work, walltimeSeconds: 2_000_000_000 }),
      code: 'INVALID',
      field: 'input.walltimeSeconds',
      says: /at|from 1 to 31622400/,
    },
    {
      what: "a walltime beyond the queue's limit",
      input: () => ({ ...work, queue: 'debug', walltimeSeconds: 3600 }),
      code: 'NO_ELIGIBLE_SITE',
      field: 'input.walltimeSeconds',
      says: /queue debug of quick allows 30 m/,
    },
    {
      what: 'an unknown queue',
      input: () => ({ ...work, queue: 'night', siteIds: only('slow') }),
      code: 'NO_ELIGIBLE_SITE',
      field: 'input.queue',
      says: /slow has no queue night; it has batch, debug/,
    },
    {
      what: 'a deadline in the past',
      input: () => ({ ...work, deadlineAt: moment(NOW - 60) }),
      code: 'INVALID',
      field: 'input.deadlineAt',
      says: /lie ahead, it is 1 m past/,
    },
    {
      what: 'a deadline that is too near',
      input: () => ({ ...work, walltimeSeconds: 1800, deadlineAt: moment(NOW + 900) }),
      code: 'INVALID',
      field: 'input.deadlineAt',
      says: /15 m ahead.*30 m; ask for less walltime or more time/,
    },
    {
      what: 'a deadline within the second',
      input: () => ({ ...work, walltimeSeconds: 1800, deadlineAt: moment(NOW + 0.7) }),
      code: 'INVALID',
      field: 'input.deadlineAt',
      says: /0 s ahead.*30 m; ask for less walltime or more time/,
    },
    {
      what: 'a deadline beyond the horizon',
      input: () => ({ ...work, deadlineAt: moment(NOW + 400 * 86_400) }),
      code: 'INVALID',
      field: 'input.deadlineAt',
      says: /at most 60 d are allowed/,
    },
    {
      what: 'an oversized script',
      input: () => ({ ...work, script: `#!/bin/sh\n${'x'.repeat(2000)}` }),
      code: 'INVALID',
      field: 'input.script',
      says: /2010 bytes, at most 2000/,
    },
    {
      what: 'an empty script',
      input: () => ({ ...work, script: ' \n' }),
      code: 'INVALID',
      field: 'input.script',
      says: /empty/,
    },
    {
      what: 'a script that is no text',
      input: () => ({ ...work, script: '#!/bin/sh\n\0' }),
      code: 'INVALID',
      field: 'input.script',
      says: /NUL/,
    },
    {
      what: 'a name with a line feed',
      input: () => ({ ...work, name: 'two\nlines' }),
      code: 'INVALID',
      field: 'input.name',
      says: /printable/,
    },
    ...['\u200b', '\u2028x', '\u202e\u202e', '𐀀'.repeat(129)].map((name) => ({
      what: `the name ${JSON.stringify(name.slice(0, 10))}`,
      input: () => ({ ...work, name }),
      code: 'INVALID',
      field: 'input.name',
      says: /^name must have 1 to 128 printable characters, got "[^\ud800-\udfff]+"$/u,
    })),
    {
      what: 'too many arguments',
      input: () => ({ ...work, arguments: Array.from({ length: 1001 }, () => 'x') }),
      code: 'INVALID',
      field: 'input.arguments',
      says: /1001 arguments, at most 1000/,
    },
    {
      what: 'an endless idempotency key',
      input: () => ({ ...work, idempotencyKey: 'k'.repeat(201) }),
      code: 'INVALID',
      field: 'input.idempotencyKey',
      says: /1 to 200 characters, this one has 201/,
    },
  ];

  test.each(cases)('$what', (bad) => expectRefusal(SUBMIT, 'submitJob', bad));

  test('several faults at once, naming every one', async () => {
    const input = { ...work, processors: -1, walltimeSeconds: 0, script: '' };
    const { data } = await world.ask(world.tokens.gateway, SUBMIT, { input });
    const fields = data.submitJob.userErrors.map(({ field }: { field: string }) => field);
    expect(fields).toEqual(['input.script', 'input.processors', 'input.walltimeSeconds']);
  });

  test('a number that is none, before anything runs', async () => {
    const before = await world.countRows();
    const { errors, data, status } = await world.ask(world.tokens.gateway, SUBMIT, {
      input: { ...work, processors: 1e12 },
    });
    expect({ status, data }).toEqual({ status: 400, data: undefined });
    expect(errors?.[0]).toMatchObject({ extensions: { code: 'BAD_USER_INPUT' } });
    expect(await world.countRows()).toEqual(before);
  });
});

describe('reserve refuses', () => {
  const reservation = { ...work, startAt: moment(NOW + 6 * HOUR), probability: 0.9 };
  const probability = (value: number): BadInput => ({
    what: `probability ${value}`,
    input: () => ({ ...reservation, probability: value }),
    code: 'INVALID',
    field: 'input.probability',
    says: new RegExp(`between 0 and 1, both excluded, got ${value}`),
  });
  const cases: BadInput[] = [
    probability(0),
    probability(1),
    probability(-0.5),
    probability(1.5),
    {
      what: 'a start in the past',
      input: () => ({ ...reservation, startAt: moment(NOW - 1) }),
      code: 'INVALID',
      field: 'input.startAt',
      says: /lie ahead/,
    },
    {
      what: 'a start too far ahead',
      input: () => ({ ...reservation, startAt: moment(NOW + 100 * 86_400) }),
      code: 'INVALID',
      field: 'input.startAt',
      says: /at most 60 d are allowed/,
    },
    {
      what: 'mode WINDOW without a window',
      input: () => ({ ...reservation, mode: 'WINDOW' }),
      code: 'INVALID',
      field: 'input.windowOpensAt',
      says: /needs windowOpensAt/,
    },
    {
      what: 'a window that opens too late',
      input: () => ({ ...reservation, mode: 'WINDOW', windowOpensAt: moment(NOW + 7 * HOUR) }),
      code: 'INVALID',
      field: 'input.windowOpensAt',
      says: /before startAt/,
    },
    {
      what: 'a window in mode HOLD',
      input: () => ({ ...reservation, windowOpensAt: moment(NOW + HOUR) }),
      code: 'INVALID',
      field: 'input.windowOpensAt',
      says: /mode WINDOW only/,
    },
    {
      what: 'a negative cap',
      input: () => ({ ...reservation, maxPaddingProcessorSeconds: -1 }),
      code: 'INVALID',
      field: 'input.maxPaddingProcessorSeconds',
      says: /must not be negative/,
    },
    {
      what: 'a site that is out of sight',
      input: () => ({ ...reservation, siteIds: only('stale') }),
      code: 'STALE_SITE',
      field: null,
      says: /stale was last observed 2 h ago, facts count for 10 m/,
    },
    {
      what: "a walltime beyond the queue's limit",
      input: () => ({ ...reservation, walltimeSeconds: 90_000, siteIds: only('quick') }),
      code: 'NO_ELIGIBLE_SITE',
      field: 'input.walltimeSeconds',
      says: /queue batch of quick allows 1 d/,
    },
  ];
  test.each(cases)('$what', (bad) => expectRefusal(RESERVE, 'reserve', bad));

  test('what no site can promise, with the best offer', async () => {
    const before = await world.countRows();
    const input = { ...reservation, startAt: moment(NOW + 200), probability: 0.9 };
    const { data } = await world.ask(world.tokens.workflow, RESERVE, { input });
    expect(data.reserve.reservation).toBeNull();
    expect(data.reserve.userErrors).toEqual([
      { code: 'PROMISE_REFUSED', field: 'input.probability', message: expect.stringContaining('the best is') },
    ]);
    expect(data.reserve.bestOffer).toMatchObject({ siteName: 'quick', submitAt: moment(NOW) });
    expect(data.reserve.bestOffer.probability).toBeGreaterThan(0);
    expect(data.reserve.bestOffer.probability).toBeLessThan(0.9);
    expect(await world.countRows()).toEqual(before);
  });
});

describe('coAllocate refuses', () => {
  const group = { rule: 'ALL', startAt: moment(NOW + 6 * HOUR), probability: 0.5, legs: [work, work] };
  const nested = (nestedRule: object) => ({ ...group, rule: null, nestedRule });
  const cases: BadInput[] = [
    {
      what: 'a single leg',
      input: () => ({ ...group, legs: [work] }),
      code: 'INVALID',
      field: 'input.legs',
      says: /2 to 8 legs, got 1/,
    },
    {
      what: 'too many legs',
      input: () => ({ ...group, legs: Array.from({ length: 9 }, () => work) }),
      code: 'INVALID',
      field: 'input.legs',
      says: /got 9/,
    },
    {
      what: 'AT_LEAST without a number',
      input: () => ({ ...group, rule: 'AT_LEAST' }),
      code: 'INVALID',
      field: 'input.atLeast',
      says: /from 1 to the 2 members, got null/,
    },
    {
      what: 'AT_LEAST more than there are',
      input: () => ({ ...group, rule: 'AT_LEAST', atLeast: 3 }),
      code: 'INVALID',
      field: 'input.atLeast',
      says: /got 3/,
    },
    {
      what: 'no leg at all',
      input: () => ({ ...group, legs: [] }),
      code: 'INVALID',
      field: 'input.legs',
      says: /2 to 8 legs, got 0/,
    },
    {
      what: 'a leg that there is not',
      input: () => nested({ rule: 'ALL', members: [{ leg: '0' }, { leg: '1' }, { leg: 'x' }] }),
      code: 'INVALID',
      field: 'input.nestedRule.members[2].leg',
      says: /there is no leg x; there are 0, 1/,
    },
    {
      what: 'a rule in two ways',
      input: () => ({ ...group, nestedRule: { rule: 'ALL', members: [{ leg: '0' }, { leg: '1' }] } }),
      code: 'INVALID',
      field: 'input.rule',
      says: /either rule/,
    },
    {
      what: 'a nested rule that is both leg and rule',
      input: () => nested({ rule: 'ALL', members: [{ leg: '0', rule: 'ANY' }, { leg: '1' }] }),
      code: 'INVALID',
      field: 'input.nestedRule.members[0]',
      says: /either a leg, or a rule/,
    },
    {
      what: 'a nested rule that leaves a leg out',
      input: () => nested({ rule: 'ANY', members: [{ leg: '0' }] }),
      code: 'INVALID',
      field: 'input.nestedRule',
      says: /leaves out 1/,
    },
    {
      what: 'a nested rule with a number that does not fit',
      input: () => nested({ rule: 'ALL', members: [{ rule: 'AT_LEAST', members: [{ leg: '0' }, { leg: '1' }] }] }),
      code: 'INVALID',
      field: 'input.nestedRule.members[0].atLeast',
      says: /from 1 to the 2 members, got null/,
    },
    {
      what: 'two legs of one name',
      input: () => ({ ...group, legs: [{ ...work, id: '1' }, work] }),
      code: 'INVALID',
      field: 'input.legs[1].id',
      says: /called "1" already/,
    },
    {
      what: 'a name of a leg in two lines',
      input: () => ({ ...group, legs: [{ ...work, id: 'a\nb' }, work] }),
      code: 'INVALID',
      field: 'input.legs[0].id',
      says: /no control characters/,
    },
    {
      what: 'a bad leg',
      input: () => ({ ...group, legs: [work, { ...work, processors: -1 }] }),
      code: 'INVALID',
      field: 'input.legs[1].processors',
      says: /got -1/,
    },
    {
      what: 'an unknown site of a leg',
      input: () => ({ ...group, legs: [work, { ...work, siteIds: [unknownId('Site')] }] }),
      code: 'NOT_FOUND',
      field: 'input.legs[1].siteIds[0]',
      says: /no such site/,
    },
    {
      what: 'more legs than sites',
      input: () => ({ ...group, legs: [work, work, work] }),
      code: 'NO_ELIGIBLE_SITE',
      field: 'input.legs',
      says: /different sites/,
    },
    {
      what: 'a joint probability that is not on offer',
      input: () => ({ ...group, startAt: moment(NOW + 200), probability: 0.9 }),
      code: 'PROMISE_REFUSED',
      field: 'input.probability',
      says: /the best is/,
    },
  ];
  test.each(cases)('$what', (bad) => expectRefusal(CO_ALLOCATE, 'coAllocate', bad));
});

describe('cancelJob refuses', () => {
  const cases: BadInput[] = ['Job', 'Site'].map((type) => ({
    what: `the id of an unknown ${type}`,
    input: () => ({ id: unknownId(type as 'Job') }),
    code: 'NOT_FOUND',
    field: 'input.id',
    says: /no such job among yours/,
  }));
  test.each(cases)('$what', (bad) => expectRefusal(CANCEL_JOB, 'cancelJob', bad));
});

describe('registerSite refuses', () => {
  const site = { name: 'fresh', adapter: 'simulator', configuration: { url: 'http://127.0.0.1:1' } };
  const cases: BadInput[] = [
    {
      what: 'a name that is taken',
      input: () => ({ ...site, name: 'quick' }),
      code: 'NAME_TAKEN',
      field: 'input.name',
      says: /registered already/,
    },
    {
      what: 'a name for a shell',
      input: () => ({ ...site, name: 'a;rm -rf' }),
      code: 'INVALID',
      field: 'input.name',
      says: /letter or digit/,
    },
    {
      what: 'an unknown adapter',
      input: () => ({ ...site, adapter: 'cloud' }),
      code: 'INVALID',
      field: 'input.adapter',
      says: /no adapter "cloud"; there are simulator/,
    },
    {
      what: 'a configuration the adapter cannot work with',
      input: () => ({ ...site, configuration: { port: 1 } }),
      code: 'INVALID',
      field: 'input.configuration',
      says: /url/,
    },
  ];
  test.each(cases)('$what', (bad) => expectRefusal(REGISTER_SITE, 'registerSite', bad));
});

describe('importHistory refuses', () => {
  const header = `; UnixStartTime: ${NOW - 10_000_000}\n`;
  const line = (id: number) => `${id} ${id * 100} 10 600 4 -1 -1 4 900 -1 1 3 1 -1 1 -1 -1 -1\n`;
  const log = header + Array.from({ length: 5000 }, (_, id) => line(id + 1)).join('');
  const packed = gzipSync(log);
  const damaged = Buffer.from(packed);
  damaged.fill(0xff, Math.floor(packed.length / 2), Math.floor(packed.length / 2) + 40);
  const cases: BadInput[] = [
    {
      what: 'a truncated gzip',
      input: () => ({
        siteId: world.sites.quick,
        content: packed.subarray(0, packed.length - 4000).toString('base64'),
      }),
      code: 'INVALID',
      field: 'input.content',
      says: /ends too early, in line [1-9]\d*.*truncated/,
    },
    {
      what: 'a damaged gzip',
      input: () => ({ siteId: world.sites.quick, content: damaged.toString('base64') }),
      code: 'INVALID',
      field: 'input.content',
      says: /damaged|line \d+/,
    },
    {
      what: 'a line that is no SWF',
      input: () => ({ siteId: world.sites.quick, content: `${header}${line(1)}2 200 ten 600\n` }),
      code: 'INVALID',
      field: 'input.content',
      says: /line 3: wait time is no number: "ten"/,
    },
    {
      what: 'a cut line',
      input: () => ({ siteId: world.sites.quick, content: `${header}${line(1)}2 200 10 600\n` }),
      code: 'INVALID',
      field: 'input.content',
      says: /line 3: 4 fields instead of 18/,
    },
    {
      what: 'an empty log',
      input: () => ({ siteId: world.sites.quick, content: header }),
      code: 'INVALID',
      field: 'input.content',
      says: /no job in it/,
    },
    {
      what: 'a log without a beginning',
      input: () => ({ siteId: world.sites.quick, content: line(1) }),
      code: 'INVALID',
      field: 'input.originAt',
      says: /no UnixStartTime.*originAt/,
    },
    {
      what: 'a log of before there were machines',
      input: () => ({ siteId: world.sites.quick, content: line(1), originAt: '0001-01-01T00:00:00Z' }),
      code: 'INVALID',
      field: 'input.originAt',
      says: /job 1 was submitted before 1970; give another originAt/,
    },
    {
      what: 'a log of the future',
      input: () => ({ siteId: world.sites.quick, content: line(1), originAt: moment(NOW) }),
      code: 'INVALID',
      field: 'input.originAt',
      says: /ends 11 m 50 s from now; originAt may be .* at the latest/,
    },
    {
      what: 'an unknown site',
      input: () => ({ siteId: unknownId('Site'), content: log }),
      code: 'NOT_FOUND',
      field: 'input.siteId',
      says: /no such site/,
    },
  ];
  test.each(cases)('$what', (bad) => expectRefusal(IMPORT_HISTORY, 'importHistory', bad));
});

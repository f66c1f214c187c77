import { createServer } from 'node:net';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { adapters } from '../../../adapters/index.ts';
import { checkedRegistry } from '../../../src/flow/checked-registry.ts';
import { type Api, startApi } from '../../../src/graphql/server.ts';
import { type Answers, tellSite } from '../flow/told-site.ts';
import { type ApiWorld, createApiWorld } from '../graphql/api-world.ts';
import { runCli } from './run-cli.ts';

let world: ApiWorld;
let api: Api;
const logged: string[] = [];
beforeAll(async () => {
  world = await createApiWorld();
  const { requestId: _, ...parts } = world.commands;
  const logger = pino({ level: 'warn' }, { write: (line: string) => void logged.push(line) });
  const believed = { maxSkewSeconds: 300, callMilliseconds: 60_000 };
  const limits = { ...parts.limits, checkMilliseconds: 1500 };
  const registry = checkedRegistry(adapters, parts.clock, believed, logger);
  api = await startApi({ ...parts, limits, adapters: registry, host: '127.0.0.1', port: 0, logger });
});
afterAll(async () => {
  await api.close();
  await world.close();
});

const CHECK = `mutation ($input: CheckSiteInput!) {
  checkSite(input: $input) {
    check {
      passed processors waitingJobs runningJobs recentRecords clockSkewSeconds accounting
      queues { name } verbs { verb result faultCode }
    }
    userErrors { code field message }
  }
}`;
const FACTS = {
  processors: 64,
  queues: [{ name: 'batch', isDefault: true, maxProcessors: null, maxWalltimeSeconds: null }],
};

const gridcast = (...args: string[]) => runCli(...args, '--url', api.url, '--token', world.tokens.admin);

async function told(answers: Answers): Promise<{ url: string; site: string }> {
  const now = world.clock.now();
  const snapshot = { observedAt: now, processors: 64, freeProcessors: 64, waiting: [], running: [] };
  const history = { records: [], nextSince: now };
  const site = await tellSite({
    facts: FACTS,
    snapshot,
    history,
    jobs: { job: null },
    inspect: { jobs: [] },
    ...answers,
  });
  onTestFinished(() => site.close());
  return { url: site.url, site: 'told' };
}

async function check(input: object, token = world.tokens.admin) {
  const { data, errors } = await world.ask(token, CHECK, { input }, api.url);
  expect(errors).toBeUndefined();
  return data.checkSite;
}

describe('checkSite', () => {
  test('tells what a site says and keeps nothing of it', async () => {
    const before = await world.countRows();
    const { check: found, userErrors } = await check({ adapter: 'simulator', configuration: await told({}) });
    expect(userErrors).toEqual([]);
    expect(found).toMatchObject({ passed: true, processors: 64, waitingJobs: 0, runningJobs: 0, recentRecords: 0 });
    expect(found).toMatchObject({ accounting: true, clockSkewSeconds: 0, queues: [{ name: 'batch' }] });
    expect(found.verbs.map(({ verb, result }: { verb: string; result: string }) => `${verb} ${result}`)).toEqual(
      ['facts', 'snapshot', 'history', 'find', 'inspect'].map((verb) => `${verb} ANSWERED`),
    );
    expect(await world.countRows()).toEqual(before);
  });

  test('says what kind of fault each verb has, without any word of the site', async () => {
    const secret = 'password=hunter2 in /etc/slurm.conf line 7';
    const job = { nativeId: '7', submittedAt: 1, state: 'RUNNING', startAt: 2, endAt: null, outcome: null };
    const skewed = { observedAt: world.clock.now() + 9000, processors: 1, freeProcessors: 1, waiting: [], running: [] };
    const configuration = await told({ facts: secret, history: undefined, snapshot: skewed, jobs: { job } });
    const answer = await check({ adapter: 'simulator', configuration });
    const { check: found } = answer;
    expect(found).toMatchObject({ passed: false, processors: null, recentRecords: null });
    expect(found.clockSkewSeconds).toBeCloseTo(9000, -1);
    expect(found.verbs).toEqual([
      { verb: 'facts', result: 'FAILED', faultCode: 'GARBLED' },
      { verb: 'snapshot', result: 'FAILED', faultCode: 'CLOCK_SKEW' },
      { verb: 'history', result: 'FAILED', faultCode: 'UNREACHABLE' },
      { verb: 'find', result: 'FAILED', faultCode: 'GARBLED' },
      { verb: 'inspect', result: 'ANSWERED', faultCode: null },
    ]);
    expect(JSON.stringify(answer)).not.toContain('hunter2');
    expect(logged.join('')).toContain('site fault');
  });

  test('ends although the site takes every call and never answers', async () => {
    const silent = createServer(() => undefined);
    await new Promise<void>((listening) => silent.listen(0, '127.0.0.1', listening));
    onTestFinished(() => void silent.close());
    const { port } = silent.address() as { port: number };
    const configuration = { url: `http://127.0.0.1:${port}`, site: 'silent' };
    const { check: found } = await check({ adapter: 'simulator', configuration });
    expect(found.verbs.map(({ faultCode }: { faultCode: string }) => faultCode)).toEqual(
      Array.from({ length: 5 }, () => 'TIMED_OUT'),
    );
  });

  test('is for admins, and wants one thing that it can be tried on', async () => {
    const configuration = await told({});
    const errorsOf = async (input: object, token = world.tokens.admin) => (await check(input, token)).userErrors;
    const given = { adapter: 'simulator', configuration };
    expect(await errorsOf(given, world.tokens.workflow)).toMatchObject([{ code: 'FORBIDDEN' }]);
    expect(await errorsOf({})).toMatchObject([{ code: 'INVALID', field: 'input' }]);
    expect(await errorsOf({ ...given, id: world.sites.quick })).toMatchObject([{ code: 'INVALID', field: 'input' }]);
    expect(await errorsOf({ adapter: 'simulator', configuration: {} })).toMatchObject([
      { code: 'INVALID', field: 'input.configuration' },
      { code: 'INVALID', field: 'input.configuration' },
    ]);
    expect(await errorsOf({ adapter: 'none', configuration })).toMatchObject([{ field: 'input.adapter' }]);
  });
});

describe('gridcast sites', () => {
  const count = () => world.stores.database.db.site.count();

  test('check tells by its exit code whether a configuration can be used', async () => {
    const good = JSON.stringify(await told({}));
    const run = await gridcast('sites', 'check', '--adapter', 'simulator', '--configuration', good);
    expect(run).toMatchObject({ exitCode: 0, stdout: expect.stringContaining('processors: 64') });
    const [batch] = FACTS.queues;
    const queues = [batch, { ...batch, name: 'short', isDefault: false, bar: 'DOWN', unusableBecause: 'it rests' }];
    const closed = JSON.stringify(await told({ facts: { ...FACTS, queues } }));
    const half = await gridcast('sites', 'check', '--adapter', 'simulator', '--configuration', closed);
    expect(half).toMatchObject({
      exitCode: 0,
      stdout: expect.stringContaining('queue short starts no jobs: it rests'),
    });
    const bad = JSON.stringify(await told({ facts: 'nonsense' }));
    const failed = await gridcast('sites', 'check', '--adapter', 'simulator', '--configuration', bad);
    expect(failed).toMatchObject({ exitCode: 1, stdout: expect.stringContaining('GARBLED') });
    expect((await gridcast('sites', 'check')).exitCode).toBe(2);
  });

  test('register keeps what answers, and what does not only when told to', async () => {
    const before = await count();
    const register = async (name: string, answers: Answers, ...options: string[]) => {
      const configuration = JSON.stringify(await told(answers));
      return gridcast(
        'sites',
        'register',
        name,
        '--adapter',
        'simulator',
        '--configuration',
        configuration,
        ...options,
      );
    };
    const refused = await register('silent', { facts: undefined });
    expect(refused).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('--unchecked') });
    expect(await count()).toBe(before);
    expect((await register('silent', { facts: undefined }, '--unchecked')).exitCode).toBe(0);
    expect((await register('talks', {})).exitCode).toBe(0);
    expect(await count()).toBe(before + 2);
    expect((await gridcast('sites', 'check', 'talks')).exitCode).toBe(0);
    expect((await gridcast('sites', 'check', 'silent')).exitCode).toBe(1);
  });
});

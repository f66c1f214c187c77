import { join } from 'node:path';
import { createClient } from 'graphql-ws';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import WebSocket from 'ws';
import { revokeToken } from '../../../src/store/principals.ts';
import { issueToken } from '../issue-token.ts';
import { type ApiWorld, createApiWorld, NOW } from './api-world.ts';

let world: ApiWorld;
let base: string;
beforeAll(async () => {
  world = await createApiWorld({}, { consoleFolder: join(import.meta.dirname, '../../../dist/web') });
  base = world.api.url.replace(/\/graphql$/, '');
});
afterAll(() => world.close());

interface Door {
  readonly status: number;
  readonly cookie: string | null;
  readonly headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
  readonly body: any;
}

async function knock(path: string, body: object, headers: Record<string, string> = {}): Promise<Door> {
  const response = await fetch(`${base}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });
  const cookie = response.headers.get('set-cookie');
  return { status: response.status, cookie, headers: response.headers, body: await response.json() };
}

const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
const codeFor = async (token: string) => (await knock('/console/code', {}, bearer(token))).body.code as string;
const sessionFor = async (token: string) =>
  String((await knock('/console/sign-in', { token })).cookie).split(';')[0] ?? '';

function viewer(headers: Record<string, string>): Promise<Response> {
  return fetch(world.api.url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/graphql-response+json', ...headers },
    body: JSON.stringify({ query: '{ viewer { name } }' }),
  });
}

describe('signing in', () => {
  test('a code is good once, for a cookie that no script reads and no other site sends', async () => {
    const code = await codeFor(world.tokens.workflow);
    const first = await knock('/console/sign-in', { code });
    expect(first).toMatchObject({ status: 200, body: { signedIn: true } });
    expect(first.cookie).toMatch(/^gridcast_session=gcs_[\w-]{32}; Path=\/; Max-Age=43200; HttpOnly; SameSite=Strict$/);
    expect(first.headers.get('cache-control')).toBe('no-store');
    const cookie = String(first.cookie).split(';')[0] ?? '';
    const answer = await viewer({ cookie });
    expect(await answer.json()).toMatchObject({ data: { viewer: { name: 'workflow' } } });
    const again = await knock('/console/sign-in', { code });
    expect(again).toMatchObject({ status: 401, cookie: null });
    expect(again.body.errors[0].message).toContain('npx gridcast console');
  });

  test('behind TLS the cookie is for TLS alone', async () => {
    const { cookie } = await knock(
      '/console/sign-in',
      { token: world.tokens.workflow },
      { 'x-forwarded-proto': 'https' },
    );
    expect(cookie).toContain('; Secure');
  });

  test('neither code nor session is kept as it is, nor logged', async () => {
    const code = await codeFor(world.tokens.workflow);
    const cookie = await sessionFor(world.tokens.workflow);
    const rows = JSON.stringify([await world.stores.database.db.consolePass.findMany(), world.logged]);
    for (const secret of [code, cookie.split('=')[1] ?? '']) expect(rows).not.toContain(secret);
  });

  test('a code and a session end after their time', async () => {
    const { db } = world.stores.database;
    const code = await codeFor(world.tokens.workflow);
    const cookie = await sessionFor(world.tokens.workflow);
    await db.$executeRaw`UPDATE "ConsolePass" SET "expiresAt" = now() - interval '1 second'`;
    expect((await knock('/console/sign-in', { code })).status).toBe(401);
    const answer = await viewer({ cookie });
    expect(answer.status).toBe(401);
    expect(JSON.stringify(await answer.json())).toContain('sign in again');
  });

  test('of one token twenty sessions are open at most, and the oldest go', async () => {
    const sessions: string[] = [];
    for (let count = 0; count < 22; count++) sessions.push(await sessionFor(world.tokens.gateway));
    const statuses = await Promise.all(sessions.map(async (cookie) => (await viewer({ cookie })).status));
    expect(statuses).toEqual([401, 401, ...Array(20).fill(200)]);
  });

  test('a session ends with its token, and by signing out', async () => {
    const { db } = world.stores.database;
    const token = await issueToken(db, world.principal.id, NOW, null);
    const [kept, left] = [await sessionFor(token), await sessionFor(token)];
    const out = await knock('/console/sign-out', {}, { cookie: left });
    expect(out.cookie).toContain('Max-Age=0');
    expect([(await viewer({ cookie: left })).status, (await viewer({ cookie: kept })).status]).toEqual([401, 200]);
    const code = await codeFor(token);
    await revokeToken(db, token, NOW);
    expect((await viewer({ cookie: kept })).status).toBe(401);
    expect((await knock('/console/sign-in', { code })).status).toBe(401);
    expect((await knock('/console/code', {}, bearer(token))).status).toBe(401);
  });
});

describe('other pages', () => {
  test('cannot use a session, by HTTP or by a socket, nor sign anybody in', async () => {
    const cookie = await sessionFor(world.tokens.workflow);
    const own = { cookie, origin: base };
    expect((await viewer(own)).status).toBe(200);
    for (const foreign of [{ origin: 'http://evil.example' }, { origin: 'null' }, { 'sec-fetch-site': 'cross-site' }]) {
      expect((await viewer({ cookie, ...foreign })).status).toBe(401);
      expect((await knock('/console/sign-in', { token: world.tokens.workflow }, foreign)).status).toBe(403);
    }
    const form = await fetch(world.api.url, {
      method: 'POST',
      headers: { ...own, 'content-type': 'text/plain' },
      body: '{}',
    });
    expect(form.status).toBe(400);
    expect(await closeCodeOf({ cookie, origin: 'http://evil.example' })).toBe(4401);
    expect(await closeCodeOf({ origin: base })).toBe(4401);
    expect(await closeCodeOf(own)).toBe(null);
  });
});

/** What a socket with these headers is closed with; null when it tells of the sites. */
async function closeCodeOf(headers: Record<string, string>): Promise<number | null> {
  class Socket extends WebSocket {
    constructor(url: string, protocol: string) {
      super(url, protocol, { headers });
    }
  }
  const url = world.api.url.replace('http', 'ws');
  const client = createClient({ url, webSocketImpl: Socket, retryAttempts: 0 });
  try {
    const query = 'subscription($id: ID) { siteChanged(id: $id) { name } }';
    const told = await client.iterate({ query, variables: { id: world.sites.quick } }).next();
    expect(told.value).toMatchObject({ data: { siteChanged: { name: 'quick' } } });
    return null;
  } catch (error) {
    return (error as CloseEvent).code;
  } finally {
    await client.dispose();
  }
}

describe('pages', () => {
  const open = (path: string, accept = 'text/html,*/*') => fetch(`${base}${path}`, { headers: { accept } });

  test.each([
    '/',
    '/jobs',
    '/jobs/abc',
    '/sign-in',
    '/graphiql',
  ])('%s is a page under a strict policy', async (path) => {
    const response = await open(path);
    const { headers } = response;
    expect([response.status, headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    const policy = headers.get('content-security-policy') ?? '';
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("script-src 'self';");
    expect(policy.includes('unsafe-inline')).toBe(path === '/graphiql');
    expect(policy).not.toContain('unsafe-eval');
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('cache-control')).toBe('no-cache');
    const text = await response.text();
    expect(text).not.toMatch(/<script(?![^>]*\bsrc=)|<style|\son\w+=|https?:\/\//);
    const [, part = ''] = /src="(\/assets\/[^"]+)"/.exec(text) ?? [];
    const script = await open(part, '*/*');
    expect([script.status, script.headers.get('cache-control')]).toEqual([200, 'public, max-age=31536000, immutable']);
  });

  test.each(['br', 'gzip'])('what was compressed at the build is sent as %s, and is the same', async (encoding) => {
    const [, part = ''] = /src="(\/assets\/[^"]+)"/.exec(await (await open('/')).text()) ?? [];
    const get = (accepted: string) => fetch(`${base}${part}`, { headers: { 'accept-encoding': accepted } });
    const [plain, short] = [await get('identity'), await get(encoding)];
    expect(plain.headers.get('content-encoding')).toBe(null);
    expect(short.headers.get('content-encoding')).toBe(encoding);
    for (const { headers } of [plain, short]) {
      expect(headers.get('content-type')).toBe('text/javascript; charset=utf-8');
      expect(headers.get('vary')).toMatch(/accept-encoding/i);
      expect(headers.get('content-security-policy')).toContain("default-src 'none'");
    }
    expect(Number(short.headers.get('content-length'))).toBeLessThan(Number(plain.headers.get('content-length')) / 2);
    expect(await short.text()).toBe(await plain.text());
    expect((await get('br;q=0, gzip;q=0')).headers.get('content-encoding')).toBe(null);
  });

  test('programs are told where the API is, and those that post to it are answered', async () => {
    const response = await open('/', 'application/json');
    expect([response.status, await response.text()]).toEqual([404, expect.stringContaining('/graphql')]);
    expect((await open('/assets/none.js', '*/*')).status).toBe(404);
    expect((await open('/../package.json')).status).not.toBe(500);
    expect((await viewer(bearer(world.tokens.workflow))).status).toBe(200);
  });
});

test('who guesses has to wait', async () => {
  const statuses: number[] = [];
  for (let count = 0; count < 25; count++) statuses.push((await knock('/console/sign-in', { code: 'gcc_no' })).status);
  expect(statuses.at(-1)).toBe(429);
  expect(await knock('/console/sign-in', { token: world.tokens.workflow })).toMatchObject({
    status: 429,
    cookie: null,
  });
});

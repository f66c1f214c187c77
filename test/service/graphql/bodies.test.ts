import { connect, type Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { type ApiWorld, createApiWorld } from './api-world.ts';

let world: ApiWorld;
beforeAll(async () => {
  world = await createApiWorld({ bodyPaceMilliseconds: 2000 });
});
afterAll(() => world.close());

const QUERY = JSON.stringify({ query: '{ serverTime }' });

function post(token: string | null, body: Buffer | string, headers: Record<string, string> = {}): Promise<Response> {
  const authorization = token === null ? {} : { authorization: `Bearer ${token}` };
  const usual = { 'content-type': 'application/json', ...authorization };
  return fetch(world.api.url, { method: 'POST', headers: { ...usual, ...headers }, body: body as string });
}

/** Begins a request whose body never ends; resolves with the status of an answer that comes all the same. */
function begin(token: string | null, framing: string, sockets: Socket[], begun = ''): Promise<number> {
  const { hostname, port, pathname } = new URL(world.api.url);
  const socket = connect(Number(port), hostname);
  sockets.push(socket);
  socket.on('error', () => undefined);
  socket.write(
    `POST ${pathname} HTTP/1.1\r\nHost: x\r\n${token === null ? '' : `Authorization: Bearer ${token}\r\n`}Content-Type: application/json\r\n${framing}\r\n\r\n${begun}`,
  );
  return new Promise((resolve) => socket.once('data', (data) => resolve(Number(String(data).split(' ')[1]))));
}

test.each(['gzip', 'br', 'deflate'])('a body that is compressed by %s is refused with what to do', async (encoding) => {
  for (const token of [world.tokens.gateway, null]) {
    const answer = await post(token, gzipSync(QUERY), { 'content-encoding': encoding });
    expect(answer.status).toBe(415);
    const { errors } = (await answer.json()) as { errors: { message: string }[] };
    expect(errors[0]?.message).toMatch(/is compressed; send it as it is/);
  }
});

const CHUNKED = 'Transfer-Encoding: chunked';
const BYTES = 15_000_000;

test.each([
  ['say their lengths', `Content-Length: ${BYTES}`, ''],
  ['do not', CHUNKED, `${BYTES.toString(16)}\r\n${' '.repeat(BYTES - 1)}`],
])('bodies that are begun and never ended take their tenant’s room, and nobody else’s: those that %s', async (_, framing, come) => {
  const { gateway, stranger } = world.tokens;
  const sockets: Socket[] = [];
  const begun = Array.from({ length: 20 }, () => begin(gateway, framing, sockets, come));
  expect(await Promise.race(begun)).toBe(429);
  expect((await post(stranger, QUERY)).status).toBe(200);
  for (const socket of sockets) socket.destroy();
  await vi.waitFor(async () => expect((await post(gateway, QUERY)).status).toBe(200), 10_000);
});

test('bodies that do not say their length take the room of what has come', async () => {
  const sockets: Socket[] = [];
  const answers = Array.from({ length: 20 }, () => begin(world.tokens.gateway, CHUNKED, sockets, '2\r\n{ \r\n'));
  const rest = `${(QUERY.length - 1).toString(16)}\r\n${QUERY.slice(1)}\r\n0\r\n\r\n`;
  await Promise.race([...answers, new Promise((go) => setTimeout(go, 300))]);
  for (const socket of sockets) socket.write(rest);
  expect(new Set(await Promise.all(answers))).toEqual(new Set([200]));
  for (const socket of sockets) socket.destroy();
});

test('a body that is too large is refused before it has come', async () => {
  const sockets: Socket[] = [];
  const { gateway } = world.tokens;
  const come = `${(17 << 10).toString(16)}\r\n${' '.repeat(17 << 10)}\r\n`;
  const answers = [begin(gateway, `Content-Length: ${1e9}`, sockets), begin(null, CHUNKED, sockets, come)];
  expect(await Promise.all(answers)).toEqual([413, 413]);
  await Promise.all(sockets.map((socket) => new Promise((cut) => socket.once('close', cut))));
}, 10_000);

test('a body of which nothing comes any more is given up', async () => {
  const sockets: Socket[] = [];
  const given = [`Content-Length: ${BYTES}`, CHUNKED].map((framing) => begin(world.tokens.gateway, framing, sockets));
  expect(await Promise.all(given)).toEqual([408, 408]);
}, 10_000);

test('a body that drips is given up', async () => {
  const sockets: Socket[] = [];
  const framings = [
    ['Content-Length: 1000', ' '],
    [`Content-Length: ${BYTES}`, ' '.repeat(1000)],
    [CHUNKED, '1\r\n \r\n'],
  ];
  const given = framings.map(([framing = '']) => begin(world.tokens.gateway, framing, sockets));
  const dripping = setInterval(() => {
    for (const [at, socket] of sockets.entries()) if (socket.writable) socket.write(framings[at]?.[1] ?? '');
  }, 200);
  expect(await Promise.all(given)).toEqual([408, 408, 408]);
  clearInterval(dripping);
}, 10_000);

test.each(['PUT', 'PATCH', 'DELETE', 'OPTIONS'])('%s is refused with what is taken', async (method) => {
  const headers = { authorization: `Bearer ${world.tokens.gateway}`, 'content-type': 'application/json' };
  const answer = await fetch(world.api.url, { method, headers, body: QUERY });
  expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'GET, HEAD, POST']);
  expect(await answer.text()).toContain(`${method} is not taken here; send operations with POST`);
});

test('a body in another encoding is told which one will do', async () => {
  const answer = await post(null, QUERY, { 'content-type': 'application/json; charset=latin1' });
  expect(answer.status).toBe(415);
  expect(await answer.text()).toMatch(/must be JSON in UTF-8; say/);
});

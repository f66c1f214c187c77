import { connect, type Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { type ApiWorld, createApiWorld } from './api-world.ts';

let world: ApiWorld;
beforeAll(async () => {
  world = await createApiWorld();
});
afterAll(() => world.close());

const QUERY = JSON.stringify({ query: '{ serverTime }' });

function post(token: string | null, body: Buffer | string, headers: Record<string, string> = {}): Promise<Response> {
  const authorization = token === null ? {} : { authorization: `Bearer ${token}` };
  const usual = { 'content-type': 'application/json', ...authorization };
  return fetch(world.api.url, { method: 'POST', headers: { ...usual, ...headers }, body: body as string });
}

/** Begins a request whose body never ends; resolves with the status of an answer that comes all the same. */
function begin(token: string, framing: string, sockets: Socket[]): Promise<number> {
  const { hostname, port, pathname } = new URL(world.api.url);
  const socket = connect(Number(port), hostname);
  sockets.push(socket);
  socket.on('error', () => undefined);
  socket.write(
    `POST ${pathname} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\nContent-Type: application/json\r\n${framing}\r\n\r\n`,
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

test.each([
  ['say their lengths', 'Content-Length: 15000000'],
  ['do not', 'Transfer-Encoding: chunked'],
])('bodies that are begun and never ended take their tenant’s room, and nobody else’s: those that %s', async (_, framing) => {
  const { gateway, stranger } = world.tokens;
  const sockets: Socket[] = [];
  const begun = Array.from({ length: 20 }, () => begin(gateway, framing, sockets));
  expect(await Promise.race(begun)).toBe(429);
  for (const token of [stranger, gateway]) expect((await post(token, QUERY)).status).toBe(200);
  for (const socket of sockets) socket.destroy();
  await vi.waitFor(async () => {
    const again: Socket[] = [];
    const answered = begin(gateway, framing, again);
    const waited = await Promise.race([answered, new Promise((go) => setTimeout(() => go('waits'), 100))]);
    for (const socket of again) socket.destroy();
    expect(waited, 'there is room again').toBe('waits');
  }, 10_000);
});

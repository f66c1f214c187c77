import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import WebSocket from 'ws';
import { type ApiWorld, createApiWorld } from './api-world.ts';

let world: ApiWorld;
const open: WebSocket[] = [];
beforeAll(async () => {
  world = await createApiWorld();
});
afterEach(() => {
  for (const socket of open.splice(0)) socket.terminate();
});
afterAll(() => world.close());

const PING = JSON.stringify({ type: 'ping', payload: { x: 'a'.repeat(60_000) } });

async function openSocket(): Promise<WebSocket> {
  const socket = new WebSocket(world.api.url.replace('http', 'ws'), 'graphql-transport-ws');
  open.push(socket);
  await once(socket, 'open');
  return socket;
}

async function signIn(socket: WebSocket): Promise<void> {
  const payload = { authorization: `Bearer ${world.tokens.gateway}` };
  socket.send(JSON.stringify({ type: 'connection_init', payload }));
  const [message] = await once(socket, 'message');
  expect(JSON.parse(String(message)).type).toBe('connection_ack');
}

/** Sends without end and reads nothing; how many were sent before the other end had enough. */
async function flood(socket: WebSocket, send: () => void, most: number): Promise<number> {
  const raw = (socket as unknown as { _socket: Socket })._socket;
  raw.pause();
  let isOver = false;
  raw.once('close', () => {
    isOver = true;
  });
  let sent = 0;
  for (; sent < most && !isOver && socket.readyState === socket.OPEN; sent++) {
    send();
    if (socket.bufferedAmount > 1 << 20 || sent % 100 === 0) await new Promise((go) => setTimeout(go, 5));
  }
  return sent;
}

test('whoever pings is answered, without what was sent along', async () => {
  const socket = await openSocket();
  await signIn(socket);
  socket.send(PING);
  const [message] = await once(socket, 'message');
  expect(JSON.parse(String(message))).toEqual({ type: 'pong' });
});

test('before it is known who is there nothing but the first message is heard', async () => {
  const socket = await openSocket();
  const answers = vi.fn();
  socket.on('message', answers);
  for (let count = 0; count < 3; count++) socket.send(PING);
  const [code] = await once(socket, 'close');
  expect(code).toBe(4401);
  expect(answers.mock.calls.length).toBeLessThanOrEqual(1);
});

test.each([
  ['messages', (socket: WebSocket) => socket.send(PING)],
  ['frames', (socket: WebSocket) => socket.ping('a'.repeat(125))],
])('a connection that sends %s without end is cut off, and nobody else', async (_, send) => {
  const socket = await openSocket();
  await signIn(socket);
  const neighbour = await openSocket();
  await signIn(neighbour);
  expect(await flood(socket, () => send(socket), 3000)).toBeLessThan(3000);
  neighbour.send(JSON.stringify({ type: 'ping' }));
  const [message] = await once(neighbour, 'message');
  expect(JSON.parse(String(message))).toEqual({ type: 'pong' });
});

test('a broken connection of a stranger writes nothing but JSON in the log, and no fault', async () => {
  const wrote = vi.spyOn(console, 'error').mockImplementation(() => undefined);
  const { hostname, port } = new URL(world.api.url);
  const socket = connect(Number(port), hostname);
  socket.write(
    `GET /graphql HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: ${Buffer.alloc(16).toString('base64')}\r\nSec-WebSocket-Protocol: graphql-transport-ws\r\n\r\n`,
  );
  await once(socket, 'data');
  const before = world.logged.length;
  socket.write(Buffer.from([0xff, 0xff, 0xff, 0xff]));
  await once(socket, 'close');
  socket.resetAndDestroy();
  await new Promise((go) => setTimeout(go, 50));
  expect(wrote).not.toHaveBeenCalled();
  expect(world.logged.slice(before).filter(({ level }) => Number(level) >= 50)).toEqual([]);
  wrote.mockRestore();
});

import type { AddressInfo } from 'node:net';
import { createServer, type Server } from 'node:net';
import { execa } from 'execa';
import { afterAll, beforeAll, expect, test } from 'vitest';

let server: Server;
beforeAll(async () => {
  server = createServer((socket) => socket.resume());
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
afterAll(() => server.close());

test.each([
  [['token', 'list']],
  [['migrate']],
])('%j gives up on a database that takes connections and says nothing', async (words) => {
  const { port } = server.address() as AddressInfo;
  const DATABASE_URL = `postgresql://gridcast@127.0.0.1:${port}/gridcast`;
  const { exitCode, stderr } = await execa('node', ['bin/gridcast.mjs', ...words], {
    env: { DATABASE_URL },
    reject: false,
    timeout: 90_000,
  });
  expect({ exitCode, stderr }).toMatchObject({
    exitCode: 3,
    stderr: expect.stringContaining('the database does not answer'),
  });
}, 100_000);

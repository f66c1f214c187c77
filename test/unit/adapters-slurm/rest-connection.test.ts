import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { slurmConfig } from '../../../adapters/slurm/config.ts';
import { RestConnection } from '../../../adapters/slurm/rest-connection.ts';

let server: Server;
let folder: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'rest-'));
  const errors = [{ error_code: -1, error: 'Unspecified error' }];
  server = createServer((_, response) => response.writeHead(500).end(JSON.stringify({ errors })));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
afterAll(() => {
  server.close();
  rmSync(folder, { recursive: true });
});

test('a token that is not accepted is named once, whatever is asked', async () => {
  const tokenFile = join(folder, 'token');
  writeFileSync(tokenFile, 'eyJhbGciOiJIUzI1NiJ9.e30.x');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const config = slurmConfig.parse({ transport: { kind: 'rest', url, user: 'alice', tokenFile }, workFolder: '/tmp' });
  if (config.transport.kind !== 'rest') throw new Error('the way is by REST');
  const connection = new RestConnection(config.transport, config);
  const said = await connection.change('POST', '/job/submit', {}, () => '').catch((error: Error) => error.message);
  expect(said.match(/authentication may be lost/g)).toHaveLength(1);
  expect(said).toContain(tokenFile);
  await connection.close();
});

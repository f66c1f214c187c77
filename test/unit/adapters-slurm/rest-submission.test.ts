import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { slurmConfig } from '../../../adapters/slurm/config.ts';
import { SlurmRest } from '../../../adapters/slurm/rest.ts';
import { RestConnection } from '../../../adapters/slurm/rest-connection.ts';

/** What slurmrestd 22.05 answers to a submission. */
test.each([
  ['final', -1, 'Unspecified error'],
  ['final', 2015, 'Requested node configuration is not available'],
  ['unknown', 5005, 'Zero Bytes were transmitted or received'],
  ['unknown', 5004, 'Socket timed out on send/recv operation'],
  ['transient', 1800, 'Unable to contact slurm controller (connect failure)'],
])('a submission is %s after %d: %s', async (kind, code, words) => {
  const folder = mkdtempSync(join(tmpdir(), 'rest-'));
  const tokenFile = join(folder, 'token');
  writeFileSync(tokenFile, 'eyJhbGciOiJIUzI1NiJ9.e30.x');
  const server = createServer(({ method }, response) => {
    const errors = method === 'POST' ? [{ error_code: code, error: words }] : [];
    response.writeHead(errors.length > 0 ? 500 : 200).end(JSON.stringify({ errors }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const config = slurmConfig.parse({ transport: { kind: 'rest', url, user: 'alice', tokenFile }, workFolder: '/tmp' });
  if (config.transport.kind !== 'rest') throw new Error('the way is by REST');
  const connection = new RestConnection(config.transport, config);
  await expect(
    new SlurmRest(connection, { transport: config.transport }).submit('#!/bin/sh\n', []),
  ).rejects.toMatchObject({ kind });
  await connection.close();
  server.close();
  rmSync(folder, { recursive: true });
});

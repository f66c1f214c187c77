import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { codeOfWords } from '../../../adapters/shared/fault-code.ts';
import { SshMaster } from '../../../adapters/shared/ssh-master.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'gridcast-keys-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

test.each([
  [
    'HOST_KEY',
    "ssh a@b: the host's key is not the one on record; compare it and correct knownHostsFile: Host key verification failed.",
  ],
  ['AUTHENTICATION', 'ssh a@b: authentication is lost; renew the key or the agent: Permission denied (publickey).'],
  ['AUTHENTICATION', 'ssh a@b: its login shell lets nothing run: This account is currently not available.'],
  ['AUTHENTICATION', 'sudo lets nothing run as bob: sudo: a password is required'],
  ['UNREACHABLE', 'ssh a@b cannot be reached: connect to host b port 22: Connection refused'],
])('%s is what words are about: %s', (code, words) => {
  expect(codeOfWords(words, 'UNREACHABLE')).toBe(code);
});

test.each([
  'identityFile',
  'knownHostsFile',
] as const)('a %s that there is not is named where the connection fails', async (name) => {
  const there = join(folder, 'there');
  writeFileSync(there, '');
  const files = { identityFile: there, knownHostsFile: there, [name]: '/nope' };
  const target = { host: '127.0.0.1', port: 1, ...files, connectTimeoutSeconds: 5, keepAliveSeconds: 5 };
  const master = new SshMaster(target);
  const failure = await master.open().catch((error: Error) => error);
  await master.close();
  expect(failure).toMatchObject({ reason: 'NOT_STARTED' });
  expect((failure as Error).message).toContain(`its ${name} /nope is named by the configuration and cannot be read`);
  expect(codeOfWords((failure as Error).message, 'UNREACHABLE')).toBe('MISCONFIGURED');
});

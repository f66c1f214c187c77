import { expect, test } from 'vitest';
import { adapters } from '../../../adapters/index.ts';

const SSH = { kind: 'ssh', host: 'login' };

test('every fault of a configuration is told at once, with its place, its value and what would do', () => {
  const configuration = {
    transport: { ...SSH, port: '22', prot: 1 },
    histroyDays: 30,
    timeoutMilliseconds: -1,
    workFolder: 'home',
    environment: { 'A B': 'x' },
    accounting: { kind: 'files' },
    identity: 'PER_TENANT',
    identities: { bio: { user: 'bob; rm', identityFile: '/keys/bob' }, astro: { user: 'alice' } },
  };
  expect([...adapters.check('slurm', configuration)].sort()).toEqual([
    'accounting.kind: must be one of "slurmdbd", "jobcomp", "none"; got "files"',
    'configuration: there is no field "histroyDays"; did you mean "historyDays"?',
    'environment.A B: its name must be that of a variable: letters, digits and _, the first no digit',
    'identities.astro: over ssh it needs identityFile or agentSocket, and no tokenFile',
    'identities.bio.user: must be a user name: letters, digits and _.-, the first a letter or _; got "bob; rm"',
    'timeoutMilliseconds: must be above 0; got -1',
    'transport.port: must be a whole number; got "22"',
    'transport: there is no field "prot"; did you mean "port"?',
    'workFolder: must be an absolute path; got "home"',
  ]);
});

test.each([
  ['slurm', { transport: { kind: 'telnet' } }, 'transport.kind: must be one of "local", "ssh", "rest"; got "telnet"'],
  ['slurm', { transport: {} }, 'transport.kind: is missing; must be one of "local", "ssh", "rest"'],
  ['slurm', {}, 'transport: is missing'],
  ['slurm', null, 'configuration: must be an object; got null'],
  ['slurm', { transport: SSH, workFolder: 7 }, 'workFolder: must be a text; got 7'],
  ['slurm', { transport: SSH, stagingSources: '/a' }, 'stagingSources: must be a list; got "/a"'],
  ['slurm', { transport: SSH, outputFile: '' }, 'outputFile: must not be empty; got ""'],
  ['slurm', { transport: { ...SSH, port: 0 } }, 'transport.port: must be at least 1; got 0'],
  ['slurm', { transport: { ...SSH, port: 70_000 } }, 'transport.port: must be at most 65535; got 70000'],
  ['slurm', { transport: SSH, identity: 'MINE' }, 'identity: must be one of "GATEWAY", "PER_TENANT"; got "MINE"'],
  ['pbs', { transport: SSH, dialect: 'lsf' }, 'dialect: must be one of "openpbs", "torque"; got "lsf"'],
  ['pbs', { transport: SSH, zzz: 1 }, /^configuration: there is no field "zzz"; there are transport, environment, /],
  ['simulator', { url: 'file:///x', site: 's' }, 'url: must be an address, as http://host:port; got "file:///x"'],
  ['simulator', { url: 'http://h' }, 'site: is missing'],
])('%s: %j', (adapter, configuration, fault) => {
  expect(adapters.check(adapter, configuration)).toEqual([
    typeof fault === 'string' ? fault : expect.stringMatching(fault),
  ]);
});

test.each([
  ['a token in place of its file', { transport: { kind: 'rest', user: 'a', tokenFile: 'hunter2' }, workFolder: '/w' }],
  ['a key in place of its file', { transport: { ...SSH, identityFile: 'hunter2' } }],
  [
    'a key of a tenant',
    { transport: SSH, identity: 'PER_TENANT', identities: { a: { user: 'a', identityFile: 'hunter2' } } },
  ],
  ['a variable', { transport: SSH, environment: { PASS: ['hunter2'], 'A B': 'hunter2' } }],
  ['variables in one text', { transport: SSH, environment: 'PASS=hunter2' }],
  ['a number that is a secret', { transport: SSH, environment: { PIN: 12_345 } }],
  ['a field that there is not', { transport: SSH, password: 'hunter2' }],
  ['a password in an address', { transport: SSH, workFolder: 'https://me:hunter2@host' }],
  ['a key at an odd place', { transport: SSH, workFolder: '-----BEGIN OPENSSH PRIVATE KEY-----hunter2' }],
])('no secret that was written there is told: %s', (_, configuration) => {
  const faults = adapters.check('slurm', configuration);
  expect(faults.length).toBeGreaterThan(0);
  expect(faults.join()).not.toMatch(/hunter2|12345/);
});

test('what only an account is wrong with is told with its tenant', () => {
  const long = `/${'w'.repeat(1020)}`;
  const configuration = { transport: { kind: 'local' }, workFolder: long, identity: 'PER_TENANT' };
  const [fault = ''] = adapters.check('oar', { ...configuration, identities: { bio: { user: 'bob' } } });
  expect(fault).toMatch(/^as tenant bio, stagingFolder: must have at most 1024 characters; got "\/w{119}\.\.\."$/);
});

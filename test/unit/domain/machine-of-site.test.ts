import { expect, test } from 'vitest';
import { machineOfSite } from '../../../src/domain/machine-of-site.ts';

const alpha = {
  transport: { kind: 'ssh', host: 'login.alpha', user: 'gridcast', identityFile: '/etc/key' },
  environment: { SLURM_CONF: '/etc/slurm/alpha.conf', PATH: '/opt/slurm/bin:/usr/bin' },
};
const of = (configuration: unknown, adapter = 'slurm') => machineOfSite(adapter, configuration);

test.each([
  ['another key and user', { ...alpha, transport: { ...alpha.transport, user: 'other', identityFile: '/etc/other' } }],
  ['another PATH', { ...alpha, environment: { PATH: '/usr/bin', SLURM_CONF: '/etc/slurm/alpha.conf' } }],
  ['another lag and accounts of its tenants', { ...alpha, accountingLagSeconds: 5, identity: 'PER_TENANT' }],
])('is the same with %s', (_what, configuration) => {
  expect(of(configuration)).toBe(of(alpha));
});

test.each([
  ['host', { ...alpha, transport: { ...alpha.transport, host: 'login.beta' } }],
  ['configuration of its batch system', { ...alpha, environment: { SLURM_CONF: '/etc/slurm/beta.conf' } }],
  ['file that says what its host is', { ...alpha, transport: { ...alpha.transport, configFile: '/etc/ssh/beta' } }],
  ['way to it', { ...alpha, transport: { kind: 'local' } }],
])('is another one with another %s', (_what, configuration) => {
  expect(of(configuration)).not.toBe(of(alpha));
});

test('commands run here unless told, and where nothing else tells machines apart PATH does', () => {
  const cell = { environment: { SGE_ROOT: '/opt/sge' }, workFolder: '/a' };
  expect(of({ ...cell, transport: { kind: 'local' }, workFolder: '/b' })).toBe(of(cell));
  const byPath = (PATH: string) => of({ environment: { PATH, TZ: 'UTC' } }, 'oar');
  expect(byPath('/opt/one/bin')).not.toBe(byPath('/opt/two/bin'));
});

test('of a site of a kind that is not known here is all that is said of it', () => {
  expect(of({ a: 1, b: [2] })).toBe(of({ b: [2], a: 1 }));
  expect(of({ a: 1 })).not.toBe(of({ a: 2 }));
  expect(of({ url: 'http://x', site: 'a' }, 'simulator')).not.toBe(of({ url: 'http://x', site: 'b' }, 'simulator'));
  expect(of(null)).not.toBe(of(null, 'pbs'));
});

import { describe, expect, test } from 'vitest';
import { adapters } from '../../../adapters/index.ts';
import { asTenant, takeIdentities } from '../../../adapters/shared/identities.ts';
import { identitiesOf, userOf } from '../../../src/domain/site-identity.ts';

const SSH = { kind: 'ssh', host: 'login', user: 'gateway', identityFile: '/keys/gateway', controlPath: '/run/gateway' };
const REST = { kind: 'rest', url: 'http://slurm', user: 'gateway', tokenFile: '/t/gateway' };
const ALICE = { user: 'alice', identityFile: '/keys/alice' };
const PER_TENANT = { identity: 'PER_TENANT', identities: { astro: ALICE } };

describe('the accounts of tenants at a site', () => {
  test('over ssh change user and key, and never share a connection', () => {
    expect(asTenant({ transport: SSH, account: 'all' }, ALICE)).toEqual({
      account: 'all',
      transport: { kind: 'ssh', host: 'login', user: 'alice', identityFile: '/keys/alice' },
    });
  });

  test('over slurmrestd change user and token, with local commands go by sudo', () => {
    const rest = { transport: { kind: 'rest', user: 'gateway', tokenFile: '/t/gateway' }, workFolder: '/shared' };
    expect(asTenant(rest, { user: 'bob', tokenFile: '/t/bob', workFolder: '/home/bob' })).toEqual({
      transport: { kind: 'rest', user: 'bob', tokenFile: '/t/bob' },
      workFolder: '/home/bob',
    });
    expect(asTenant({}, { user: 'bob' })).toEqual({ transport: { kind: 'local', sudoUser: 'bob' } });
  });

  test('beside slurmrestd read and write files as their user, too', () => {
    const own = { transport: REST, workFolder: '/shared', files: { kind: 'local' } };
    const bob = { user: 'bob', tokenFile: '/t/bob' };
    expect(asTenant(own, bob)).toMatchObject({ files: { kind: 'local', sudoUser: 'bob' } });
    const both = { ...bob, identityFile: '/keys/bob' };
    expect(asTenant({ ...own, files: SSH }, both)).toMatchObject({
      transport: { user: 'bob', tokenFile: '/t/bob' },
      files: { kind: 'ssh', host: 'login', user: 'bob', identityFile: '/keys/bob' },
    });
    const check = (files: object, account: object) =>
      adapters.check('slurm', { ...own, files, identity: 'PER_TENANT', identities: { bio: account } }).join();
    expect([check({ kind: 'local' }, bob), check(SSH, both)]).toEqual(['', '']);
    expect(check(SSH, bob)).toMatch(/bio.* needs identityFile or agentSocket, too/);
    expect(check({ kind: 'local' }, both)).toMatch(/bio.* only where files go by ssh/);
    expect(check({ kind: 'local' }, { user: 'bob' })).toMatch(/bio.* needs tokenFile/);
  });

  test('have folders of their own in a work folder that they share, unless the site states where', () => {
    const shared = { transport: { kind: 'local' }, workFolder: '/shared' };
    expect(asTenant(shared, { user: 'bob' })).toMatchObject({
      outputFolder: '/shared/gridcast-bob',
      stagingFolder: '/shared/gridcast-work-bob',
    });
    expect(asTenant({ ...shared, outputFolder: '/out', stagingFolder: '/in' }, { user: 'bob' })).toMatchObject({
      outputFolder: '/out',
      stagingFolder: '/in',
    });
  });

  test('are told with their users, without what proves them', () => {
    const configuration = { ...PER_TENANT, transport: SSH };
    expect(identitiesOf(configuration)).toEqual({ rule: 'PER_TENANT', tenants: [{ tenant: 'astro', user: 'alice' }] });
    expect([userOf(configuration, 'astro'), userOf(configuration, 'bio')]).toEqual(['alice', undefined]);
    expect(userOf({ transport: SSH }, 'bio')).toBeNull();
  });

  test.each([
    ['none where all jobs come as the gateway', { identities: { astro: ALICE } }, /goes with identity PER_TENANT/],
    ['one without a key', { ...PER_TENANT, identities: { astro: { user: 'alice' } } }, /needs identityFile or agent/],
    ['one with a token', { ...PER_TENANT, identities: { astro: { ...ALICE, tokenFile: '/t' } } }, /no tokenFile/],
    ['a user like an option', { ...PER_TENANT, identities: { astro: { ...ALICE, user: '-x' } } }, /a user name/],
    ['an odd word', { ...PER_TENANT, identities: { astro: { ...ALICE, password: 'x' } } }, /password/],
    ['an odd rule', { identity: 'SOMEBODY' }, /identity/],
  ])('%s is a fault of the configuration', (_what, said, fault) => {
    expect(adapters.check('slurm', { transport: SSH, ...said }).join()).toMatch(fault);
    expect(takeIdentities({ transport: SSH, ...said }).faults).not.toEqual([]);
    expect(() => adapters.connect('slurm', { transport: SSH, ...said })).toThrow(fault);
  });

  test('suit their adapter, whose own rules hold for each of them', () => {
    expect(adapters.check('slurm', { transport: SSH, ...PER_TENANT })).toEqual([]);
    expect(adapters.check('gridengine', { workFolder: '/w', ...PER_TENANT, identities: { a: { user: 'b' } } })).toEqual(
      [],
    );
    expect(() => adapters.connect('slurm', { transport: SSH, ...PER_TENANT }, 'bio')).toThrow(/"bio" has no account/);
  });

  test.each(['constructor', 'toString', '__proto__'])("are nobody else's: a tenant called %s has none", (tenant) => {
    const connect = () => adapters.connect('slurm', { transport: SSH, ...PER_TENANT }, tenant);
    expect(connect).toThrow(/has no account at this site/);
  });
});

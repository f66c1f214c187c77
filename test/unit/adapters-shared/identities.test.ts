import { describe, expect, test } from 'vitest';
import { adapters } from '../../../adapters/index.ts';
import { asTenant, takeIdentities } from '../../../adapters/shared/identities.ts';
import { identitiesOf, userOf } from '../../../src/domain/site-identity.ts';

const SSH = { kind: 'ssh', host: 'login', user: 'gateway', identityFile: '/keys/gateway', controlPath: '/run/gateway' };
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
    expect(takeIdentities({ transport: SSH, ...said }).success).toBe(false);
  });

  test('suit their adapter, whose own rules hold for each of them', () => {
    expect(adapters.check('slurm', { transport: SSH, ...PER_TENANT })).toEqual([]);
    expect(adapters.check('gridengine', { workFolder: '/w', ...PER_TENANT, identities: { a: { user: 'b' } } })).toEqual(
      [],
    );
    expect(() => adapters.connect('slurm', { transport: SSH, ...PER_TENANT }, 'bio')).toThrow(/"bio" has no account/);
  });
});

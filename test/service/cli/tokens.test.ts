import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findPrincipalByToken } from '../../../src/store/principals.ts';
import { createTestDatabase, type TestDatabase } from '../database.ts';
import { type CommandRun, runCli } from './run-cli.ts';

const DAY = 86_400;

let stores: TestDatabase;
const databaseBefore = process.env.DATABASE_URL;
beforeAll(async () => {
  stores = await createTestDatabase();
  process.env.DATABASE_URL = stores.url;
  await create('--tenant', 'physics', '--principal', 'first', '--role', 'admin');
});
afterAll(async () => {
  if (databaseBefore === undefined) delete process.env.DATABASE_URL;
  else process.env.DATABASE_URL = databaseBefore;
  await stores.drop();
});

function create(...options: readonly string[]): Promise<CommandRun> {
  return runCli('token', 'create', ...options, '--json');
}

const now = () => Date.now() / 1000;
const whoHas = (token: string, at = now()) => findPrincipalByToken(stores.database.db, token, at);

async function listed(id: string) {
  const tokens: { id: string }[] = (await runCli('token', 'list', '--json')).json();
  return tokens.find((token) => token.id === id);
}

describe('a token', () => {
  test('keeps its role whatever later tokens of its principal may do', async () => {
    const of = (role: string) => create('--tenant', 'physics', '--principal', 'alice', '--role', role);
    const [admin, gateway] = [(await of('admin')).json(), (await of('gateway')).json()];
    expect((await whoHas(admin.token))?.role).toBe('ADMIN');
    expect((await whoHas(gateway.token))?.role).toBe('GATEWAY');
    expect((await whoHas(admin.token))?.id).toBe((await whoHas(gateway.token))?.id);
  });

  test('lasts 90 days unless said otherwise', async () => {
    const plain = (await create('--tenant', 'physics', '--principal', 'bob', '--role', 'gateway')).json();
    expect(await whoHas(plain.token, now() + 89 * DAY)).not.toBeNull();
    expect(await whoHas(plain.token, now() + 91 * DAY)).toBeNull();
    const named = ['--tenant', 'physics', '--principal', 'bob', '--role', 'gateway', '--expires'];
    const brief = (await create(...named, '2d')).json();
    expect(await whoHas(brief.token, now() + 3 * DAY)).toBeNull();
    const lasting = (await create(...named, 'never')).json();
    expect(lasting.expiresAt).toBeNull();
    expect(await whoHas(lasting.token, now() + 9999 * DAY)).not.toBeNull();
    expect((await create(...named, '20y')).exitCode).toBe(2);
    expect((await create(...named, '9999d')).exitCode).toBe(1);
  });

  test('is listed without its text, with its last use, and revoked by its id', async () => {
    const { id, token } = (await create('--tenant', 'physics', '--principal', 'carol', '--role', 'workflow')).json();
    expect(await listed(id)).toMatchObject({
      tenant: 'physics',
      principal: 'carol',
      role: 'WORKFLOW',
      lastUsedAt: null,
    });
    expect(JSON.stringify(await listed(id))).not.toContain(token);
    await whoHas(token);
    const used = await listed(id);
    expect(used).toMatchObject({ lastUsedAt: expect.any(String) });
    await whoHas(token, now() + 30);
    expect(await listed(id)).toEqual(used);
    await whoHas(token, now() + 120);
    expect(await listed(id)).not.toEqual(used);
    expect((await runCli('token', 'list')).stdout).toContain(id);

    expect((await runCli('token', 'revoke', id)).exitCode).toBe(0);
    expect(await whoHas(token)).toBeNull();
    expect(await listed(id)).toBeUndefined();
    const again = await runCli('token', 'revoke', id);
    expect([again.exitCode, again.stderr]).toEqual([1, expect.stringContaining('no live token')]);
    expect((await runCli('token', 'list', '--all', '--json')).stdout).toContain(id);
  });

  test('is revoked by its text too, and by nothing else', async () => {
    const { token } = (await create('--tenant', 'physics', '--principal', 'dan', '--role', 'gateway')).json();
    for (const wrong of ['', 'dan', 'gct_nothing', '00000000-0000-0000-0000-000000000000', "' OR true"]) {
      expect((await runCli('token', 'revoke', wrong)).exitCode).toBe(1);
    }
    expect(await whoHas(token)).not.toBeNull();
    expect((await runCli('token', 'revoke', token)).exitCode).toBe(0);
    expect(await whoHas(token)).toBeNull();
  });
});

describe('a tenant', () => {
  const token = (tenant: string) => create('--tenant', tenant, '--principal', 'eve', '--role', 'gateway');

  test('is not made by a misspelled name, and the near ones are named', async () => {
    const refused = await token('phisics');
    expect([refused.exitCode, refused.stdout]).toEqual([1, expect.stringContaining('physics')]);
    expect(refused.stdout).toContain('--new-tenant');
    expect((await token('Physics')).exitCode).toBe(1);
    expect(await stores.database.db.tenant.count()).toBe(1);
  });

  test('is made when that is said', async () => {
    expect(
      (await create('--tenant', 'biology', '--principal', 'eve', '--role', 'gateway', '--new-tenant')).exitCode,
    ).toBe(0);
    expect(await stores.database.db.tenant.count({ where: { name: 'biology' } })).toBe(1);
  });
});

describe('a name', () => {
  test.each([
    '',
    ' ',
    ' padded',
    'padded ',
    'a\nb',
    'a\u0000b',
    'a\u202eb',
    'x'.repeat(64),
  ])('may not be %j', async (name) => {
    for (const names of [
      ['--tenant', name, '--principal', 'ok'],
      ['--tenant', 'physics', '--principal', name],
    ]) {
      const refused = await create(...names, '--role', 'gateway', '--new-tenant');
      expect(refused.exitCode).toBe(1);
      expect(refused.stdout + refused.stderr).toContain('63 characters');
    }
  });
});

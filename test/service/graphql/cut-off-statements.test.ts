import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Database, openDatabase } from '../../../src/store/database.ts';
import { type ApiWorld, createApiWorld, work } from './api-world.ts';
import { SUBMIT } from './documents.ts';

let world: ApiWorld;
beforeAll(async () => {
  world = await createApiWorld();
});
afterAll(() => world.close());

/** Whoever runs PostgreSQL sets something for its databases, and has everybody begin anew. */
async function administer({ db }: Database, setting: string, value: string): Promise<void> {
  const name = new URL(world.stores.url).pathname.slice(1);
  await db.$executeRawUnsafe(`ALTER DATABASE ${name} SET ${setting} = '${value}'`);
  await db.$executeRaw`SELECT pg_terminate_backend("pid") FROM pg_stat_activity
    WHERE "datname" = current_database() AND "pid" <> pg_backend_pid()`;
  await sleep(500);
}

test.each([
  'lock_timeout',
  'statement_timeout',
])('who is cut off by the %s of the database is asked to come again, and the log says so once', async (setting) => {
  const other = openDatabase(world.stores.url, 1);
  await administer(other, setting, '300ms');
  const before = world.logged.length;
  await other.transaction(async (tx) => {
    await tx.$executeRaw`SELECT set_config(${setting}, '0', true)`;
    await tx.$executeRaw`LOCK TABLE "Execution" IN ACCESS EXCLUSIVE MODE`;
    for (let round = 0; round < 3; round++) {
      const { errors } = await world.ask(world.tokens.gateway, SUBMIT, { input: work });
      expect(errors).toMatchObject([
        { message: expect.stringContaining('ask again in a while'), extensions: { code: 'UNAVAILABLE' } },
      ]);
    }
  });
  const faults = world.logged.slice(before).filter(({ level, msg }) => Number(level) > 30 && !/lost/.test(String(msg)));
  expect(faults.map(({ msg }) => msg)).toEqual(['internal error: the database refuses']);
  expect((await world.ask(world.tokens.gateway, SUBMIT, { input: work })).data.submitJob.job.state).toBe('REQUESTED');
  await administer(other, setting, '0');
  await other.close();
});

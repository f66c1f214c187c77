import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ApiWorld, createApiWorld, work } from './api-world.ts';
import { SUBMIT } from './documents.ts';

let world: ApiWorld;
beforeAll(async () => {
  world = await createApiWorld();
});
afterAll(() => world.close());

test('who writes while the disk of the database is full is asked to come again, and who reads is answered', async () => {
  const { db } = world.stores.database;
  await db.$executeRaw`
    CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql
      AS $$ BEGIN RAISE EXCEPTION 'No space left on device' USING ERRCODE = '53100'; END $$`;
  await db.$executeRaw`CREATE TRIGGER no_room BEFORE INSERT ON "Execution" FOR EACH ROW EXECUTE FUNCTION refuse()`;
  const submit = () => world.ask(world.tokens.gateway, SUBMIT, { input: work });
  const { errors } = await submit();
  expect(errors).toMatchObject([
    { message: expect.stringContaining('ask again in a while'), extensions: { code: 'UNAVAILABLE' } },
  ]);
  expect(JSON.stringify(errors)).not.toContain('No space left');
  expect(world.logged).toContainEqual(expect.objectContaining({ msg: expect.stringContaining('database refuses') }));
  expect((await world.ask(world.tokens.gateway, '{ sites { name } }')).data.sites).toHaveLength(3);
  await db.$executeRaw`DROP TRIGGER no_room ON "Execution"`;
  expect((await submit()).data.submitJob.job.state).toBe('REQUESTED');
});

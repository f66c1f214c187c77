import { expect, test } from 'vitest';
import { isDatabaseAway } from '../../../src/store/database-away.ts';
import { livedPast } from './lived-past.ts';

const past = livedPast();

test('a thread that gets no connection to the database says so, and answers when it gets one', async () => {
  const [{ name } = { name: '' }] = await past.db.$queryRaw<{ name: string }[]>`SELECT current_database() AS "name"`;
  const forecaster = past.started();
  await past.db.$executeRawUnsafe(`ALTER DATABASE ${name} CONNECTION LIMIT 0`);
  const refused = past.ask(forecaster).catch((error: unknown) => error);
  const error = (await refused) as Error;
  await past.db.$executeRawUnsafe(`ALTER DATABASE ${name} CONNECTION LIMIT -1`);
  expect(error).toMatchObject({ message: expect.stringContaining('too many connections') });
  expect(isDatabaseAway(error)).toBe(true);
  expect(await past.ask(forecaster)).not.toEqual([]);
});

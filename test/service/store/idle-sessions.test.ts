import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { openDatabase } from '../../../src/store/database.ts';
import { type ChangeEvent, listenForChanges, publishChange } from '../../../src/store/events.ts';
import { findGone } from '../../../src/store/presence.ts';
import { createTestDatabase } from '../database.ts';

test('sessions that are idle on purpose outlast the idle_session_timeout of the database', async ({
  onTestFinished,
}) => {
  const stores = await createTestDatabase();
  onTestFinished(() => stores.drop());
  const name = new URL(stores.url).pathname.slice(1);
  await stores.database.db.$executeRawUnsafe(`ALTER DATABASE ${name} SET idle_session_timeout = '300ms'`);
  const lost: string[] = [];
  const onLost = ({ message }: Error) => void lost.push(message);
  const process = openDatabase(stores.url, 1, onLost);
  const number = await process.presence.id();
  const heard: ChangeEvent[] = [];
  const listener = await listenForChanges(stores.url, (event) => heard.push(event), onLost);
  await sleep(1000);
  expect(await findGone(stores.database.db, [number])).toEqual([]);
  await stores.database.transaction((tx) => publishChange(tx, { type: 'SITE', id: 'x', tenantId: null }));
  await sleep(200);
  expect(heard).toHaveLength(1);
  expect(lost).toEqual([]);
  await listener.close();
  await process.close();
});

import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { noteMissedDeadlines } from '../../../src/store/deadlines.ts';
import { type ChangeEvent, listenForChanges } from '../../../src/store/events.ts';
import { createExecution, findExecution } from '../../../src/store/executions.ts';
import { ensurePrincipal, ensureTenant } from '../../../src/store/principals.ts';
import { createSite } from '../../../src/store/sites.ts';
import { createTestDatabase, type TestDatabase } from '../database.ts';

const DEADLINE = 1_780_003_600;
const SILENT_SECONDS = 600;

let stores: TestDatabase;
let siteId: string;
let tenantId: string;
let principalId: string;
beforeAll(async () => {
  stores = await createTestDatabase();
  const { db } = stores.database;
  tenantId = await ensureTenant(db, 'physics', 0);
  principalId = await ensurePrincipal(db, tenantId, 'alice', 'ADMIN');
  siteId = (await createSite(db, { name: 'kth', adapter: 'simulator', configuration: {}, now: 0 })).id;
});
afterAll(() => stores.drop());

async function execution(
  state: 'REQUESTED' | 'HELD' | 'RUNNING' | 'ENDED',
  deadlineAt: number | null,
): Promise<string> {
  const work = { name: state, script: '#!/bin/sh', arguments: [], processors: 1, walltimeSeconds: 60, queue: null };
  const who = { tenantId, principalId, requestId: randomUUID(), allowedSiteIds: [] };
  const { id } = await createExecution(stores.database.db, { ...work, ...who, deadlineAt, now: DEADLINE - 3600 }, null);
  await stores.database.db.execution.update({ where: { id }, data: { state, siteId, reason: 'the site was idle' } });
  return id;
}

const note = (now: number) => noteMissedDeadlines(stores.database.db, now, SILENT_SECONDS, 100);
const observe = (at: number) =>
  stores.database.db.site.update({ where: { id: siteId }, data: { followedAt: new Date(at * 1000) } });

test('a deadline that passes before the end is told once, to whoever listens; of a running job when it was followed since', async () => {
  const heard: ChangeEvent[] = [];
  const listener = await listenForChanges(
    stores.url,
    (event) => heard.push(event),
    (error) => {
      throw error;
    },
  );
  const held = await execution('HELD', DEADLINE);
  const running = await execution('RUNNING', DEADLINE);
  for (const deadline of [null, DEADLINE + 1000]) await execution('REQUESTED', deadline);
  await execution('ENDED', DEADLINE);
  await observe(DEADLINE - 10);
  heard.length = 0;

  expect(await note(DEADLINE - 1)).toEqual([]);
  expect(await note(DEADLINE + 1)).toEqual([held]);
  expect(await note(DEADLINE + 2)).toEqual([]);
  await observe(DEADLINE + 20);
  expect(await note(DEADLINE + 21)).toEqual([running]);
  await expect
    .poll(() => heard.map(({ id, type }) => `${type} ${id}`))
    .toEqual([`EXECUTION ${held}`, `EXECUTION ${running}`]);
  const found = await findExecution(stores.database.db, running);
  const reason = 'its deadline passed while it was running; the site was idle';
  expect(found).toMatchObject({ deadlineMissedAt: DEADLINE, reason });
  expect((await findExecution(stores.database.db, held))?.reason).toContain('before it started');
  await listener.close();
});

test('a site that is silent keeps nobody waiting for ever', async () => {
  const running = await execution('RUNNING', DEADLINE + 5000);
  expect(await note(DEADLINE + 5000 + SILENT_SECONDS - 1)).not.toContain(running);
  expect(await note(DEADLINE + 5000 + SILENT_SECONDS)).toContain(running);
});

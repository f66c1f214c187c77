import { afterAll, beforeAll, expect, test } from 'vitest';
import type { WaitingJob } from '../../../src/domain/snapshot.ts';
import { submissionKey } from '../../../src/domain/submission.ts';
import { fromGlobalId } from '../../../src/graphql/shared/global-id.ts';
import { saveSnapshot } from '../../../src/store/sites.ts';
import { claimTurn } from '../../../src/store/turns.ts';
import { type ApiWorld, createApiWorld, moment, NOW, work } from './api-world.ts';
import { SUBMIT } from './documents.ts';

let world: ApiWorld;
beforeAll(async () => {
  world = await createApiWorld();
});
afterAll(() => world.close());

const PLACE = 'query($id: ID!) { job(id: $id) { queuePlace { ahead processorsAhead waiting observedAt } } }';

const waitingJob = (
  nativeId: string,
  submitAt: number,
  priority: number | null,
  key: string | null = null,
): WaitingJob => ({
  ...{ nativeId, key, submitAt, priority, user: 'u', queue: 'batch', processors: 10, requestedWalltimeSeconds: 3600 },
});

/** Writes down that the site was seen with that queue. */
async function see(waiting: readonly WaitingJob[]): Promise<void> {
  const { db } = world.stores.database;
  const turn = await claimTurn(db, 'Site', fromGlobalId(world.sites.slow)?.id ?? '', { milliseconds: 1, holder: null });
  if (!turn) throw new Error('somebody else has the turn');
  await saveSnapshot(db, turn, { observedAt: NOW, processors: 256, freeProcessors: 0, waiting, running: [] });
}

test('a job that waits is told how many are ahead of it, by priority where the site tells that', async () => {
  const { data } = await world.ask(world.tokens.gateway, SUBMIT, { input: work });
  const { id } = data.submitJob.job;
  const databaseId = fromGlobalId(id)?.id ?? '';
  const place = async () => (await world.ask(world.tokens.gateway, PLACE, { id })).data.job.queuePlace;
  expect(await place()).toBeNull();
  const siteId = fromGlobalId(world.sites.slow)?.id ?? '';
  await world.stores.database.db.execution.update({
    where: { id: databaseId },
    data: { state: 'QUEUED', siteId, attempts: 1 },
  });
  expect(await place()).toBeNull();
  const key = submissionKey(databaseId, 1);
  await see([
    waitingJob('1', NOW - 300, null),
    waitingJob('2', NOW - 200, null, key),
    waitingJob('3', NOW - 100, null),
  ]);
  expect(await place()).toEqual({ ahead: 1, processorsAhead: 10, waiting: 3, observedAt: moment(NOW) });
  await see([waitingJob('1', NOW - 300, 5), waitingJob('2', NOW - 200, 7, key), waitingJob('3', NOW - 100, 9)]);
  expect(await place()).toMatchObject({ ahead: 1, processorsAhead: 10 });
  await see([waitingJob('2', NOW - 200, 7, key), waitingJob('3', NOW - 100, 9), waitingJob('4', NOW - 90, 8)]);
  expect(await place()).toMatchObject({ ahead: 2, waiting: 3 });
  expect((await world.ask(world.tokens.stranger, PLACE, { id })).data.job).toBeNull();
});

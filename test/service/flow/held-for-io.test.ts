import { afterEach, beforeEach, expect, test } from 'vitest';
import { createHeldBackWorld, type HeldBackWorld, jobId, SUBMIT } from './held-back-world.ts';

let here: HeldBackWorld;
let startedAt: number;
beforeEach(async () => {
  here = await createHeldBackWorld(7);
  startedAt = here.world.clock.now();
  Object.assign(here.told, { atOnceSeconds: 0, burstUntilSeconds: 1800 });
});
afterEach(() => here.close());

const NOT_DELAYED = { maxDelaySeconds: null };
const AVOIDING = { ...NOT_DELAYED, avoidIoBurstsSeconds: 3600 };
const sinceStart = (at: number | null | undefined) => Math.round((at ?? Number.NaN) - startedAt);

test('a job that writes much waits for the end of a burst, says why, and is let go by submitNow', async () => {
  const [held, asked] = [await here.submit('held', AVOIDING), await here.submit('asked', AVOIDING)];
  expect(sinceStart((await here.row(held)).submitAt)).toBe(1800);
  const query = 'query($id: ID!) { job(id: $id) { state reason avoidIoBurstsSeconds heldBackSince } }';
  const { job } = await here.request(query, { id: jobId(held) });
  expect(job).toMatchObject({ state: 'HELD', avoidIoBurstsSeconds: 3600, heldBackSince: expect.any(String) });
  expect(job.reason).toMatch(/held back until \S+: at once it would start into a burst of the site's IO/);
  const now = 'mutation($input: SubmitNowInput!) { submitNow(input: $input) { userErrors { code } } }';
  const { submitNow } = await here.request(now, { input: { id: jobId(asked) } });
  expect(submitNow.userErrors).toEqual([]);
  await here.world.until('both are accepted', async () => here.acceptedAt().size === 2, here.worker());
  const acceptedAt = new Map([...here.acceptedAt()].map(([name, at]) => [name, sinceStart(at)]));
  expect(acceptedAt.get('held')).toBe(1800);
  expect(acceptedAt.get('asked')).toBeLessThan(300);
});

test('it goes as soon as no burst is predicted any more', async () => {
  const id = await here.submit('held', AVOIDING);
  here.told.burstUntilSeconds = 0;
  await here.world.until('it is accepted', async () => here.acceptedAt().size === 1, here.worker());
  expect(sinceStart(here.acceptedAt().get('held'))).toBeLessThan(300);
  expect((await here.row(id)).attempts).toBe(1);
});

test('nobody waits unasked, for too long, for little IO of its own, or where the site tells no bytes', async () => {
  await here.submit('unasked', NOT_DELAYED);
  await here.submit('impatient', { ...NOT_DELAYED, avoidIoBurstsSeconds: 600 });
  here.told.writtenBytes = 1e6;
  await here.submit('small', AVOIDING);
  Object.assign(here.told, { writtenBytes: 1e12, burstUntilSeconds: null });
  await here.submit('silent', AVOIDING);
  expect([...here.acceptedAt().keys()]).toEqual(['unasked', 'impatient', 'small', 'silent']);
});

test('more than a day is refused', async () => {
  const input = { script: '#!/bin/sh\n', processors: 2, walltimeSeconds: 600, avoidIoBurstsSeconds: 86_401 };
  const { submitJob } = await here.request(SUBMIT, { input });
  expect(submitJob.userErrors).toMatchObject([{ code: 'INVALID', field: 'input.avoidIoBurstsSeconds' }]);
});

import { expect, test } from 'vitest';
import { saveRecords } from '../../../src/store/records.ts';
import { knownAt } from '../../simulated-records.ts';
import { EARLY, livedPast, NOW, RECORDS } from './lived-past.ts';

const past = livedPast();

test('history that is imported later is lived through, too', async () => {
  const forecaster = past.started();
  await past.untilLearned(forecaster);
  const before = await past.ask(forecaster);
  await saveRecords(past.db, past.siteId, knownAt(EARLY, NOW));
  expect(await forecaster.stateOf(past.siteId)).toMatchObject({ isLearning: true, learnedWaits: expect.any(Number) });
  await past.untilLearned(forecaster);
  expect((await forecaster.stateOf(past.siteId)).learnedWaits).toBe(
    knownAt(RECORDS, NOW).filter(({ startAt }) => startAt !== null).length,
  );
  expect(await past.ask(forecaster)).not.toEqual(before);
});

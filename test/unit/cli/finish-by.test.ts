import { expect, test } from 'vitest';
import type { GraphqlClient } from '../../../src/cli/client/graphql-client.ts';
import { deadlineInput } from '../../../src/cli/parse/finish-by.ts';

const AT = Date.parse('2026-11-20T14:00:00Z') / 1000;
const finishBy = { kind: 'AT', at: AT } as const;
const unasked = {
  request: () => Promise.reject(new Error('nobody is asked about an absolute moment')),
} as unknown as GraphqlClient;

test('a deadline is promised with a probability, or not at all', async () => {
  expect(await deadlineInput(unasked, {})).toEqual({ deadlineAt: null });
  expect(await deadlineInput(unasked, { deadline: finishBy })).toEqual({ deadlineAt: '2026-11-20T14:00:00.000Z' });
  expect(await deadlineInput(unasked, { finishBy, probability: 0.9 })).toEqual({
    finishBy: { at: '2026-11-20T14:00:00.000Z', probability: 0.9 },
  });
  const late = await deadlineInput(unasked, { finishBy, probability: 0.9, ifMissed: 'run-late' });
  expect(late).toMatchObject({ finishBy: { ifMissed: 'RUN_LATE' } });
});

test.each([
  [{ finishBy }, '--finish-by needs --probability'],
  [{ probability: 0.9 }, '--probability goes with --finish-by'],
  [{ ifMissed: 'cancel' }, '--if-missed goes with --finish-by'],
  [{ finishBy, probability: 0.9, deadline: finishBy }, '--finish-by does not go with --deadline'],
  [{ finishBy, probability: 0.9, ifMissed: 'never' }, 'if-missed'],
])('%o does not go together', async (options, message) => {
  await expect(deadlineInput(unasked, options)).rejects.toThrow(message);
});

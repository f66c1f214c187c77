import { expect, test } from 'vitest';
import { type Asking, assertKeepsSessions } from '../../../src/main/assert-suits.ts';

/** A connection that each statement finds at the server process that is said next. */
function connection(...ids: number[]) {
  const query = async (sql: string) => ({
    rows: sql === 'BEGIN' ? [] : [{ id: ids.length > 1 ? ids.shift() : ids[0] }],
  });
  return { query, end: async () => undefined } as unknown as Asking & { end(): Promise<void> };
}

const POOLED = /a pooler gives every transaction another session/;

test('a server that is spoken to itself is asked once', async () => {
  const none = () => Promise.reject(new Error('a second connection was opened'));
  await assertKeepsSessions(7, connection(7), none);
});

test('a pooler that keeps sessions will do', async () => {
  await assertKeepsSessions(1, connection(7), async () => connection(8));
});

test.each([
  ['hands the process that was free on', connection(7), connection(7)],
  ['goes on with another process', connection(7, 9), connection(8)],
])('a pooler of transactions will not: it %s', async (_how, first, second) => {
  await expect(assertKeepsSessions(1, first, async () => second)).rejects.toThrow(POOLED);
});

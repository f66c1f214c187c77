import { expect, test } from 'vitest';
import type { ComingWork, JobOnTheWay } from '../../../src/domain/snapshot.ts';
import { ComingWorkReads } from '../../../src/forecast/coming-work-reads.ts';
import type { AskedOnTheWay } from '../../../src/store/on-the-way.ts';

/** Reads that stay under way until they are ended. Each answers with one job, named for the read and what was asked. */
function heldReads(patienceMilliseconds?: number) {
  const reads: { asked: readonly AskedOnTheWay[]; end: () => void; fail: (error: Error) => void }[] = [];
  const read = (asked: readonly AskedOnTheWay[]) =>
    new Promise<ComingWork[]>((resolve, reject) => {
      const number = reads.length;
      const jobOf = ({ siteId, at }: AskedOnTheWay) => ({ executionId: `${number} ${siteId} ${at}` }) as JobOnTheWay;
      reads.push({
        asked,
        end: () => resolve(asked.map((one) => ({ onTheWay: [jobOf(one)], held: [] }))),
        fail: reject,
      });
    });
  return { reads, ask: new ComingWorkReads(read, patienceMilliseconds) };
}

const turn = () => new Promise((resolve) => setImmediate(resolve));
const namesOf = async (coming: Promise<ComingWork>) => (await coming).onTheWay.map(({ executionId }) => executionId);

test('what is asked while a read is under way is in the next one, and never in that one', async () => {
  const { reads, ask } = heldReads();
  const first = ask.of('a', 10);
  await turn();
  const later = ['a', 'b', 'a', 'b'].map((siteId, index) => ask.of(siteId, index < 2 ? 10.4 : 11));
  await turn();
  expect(reads.map(({ asked }) => asked)).toEqual([[{ siteId: 'a', at: 10 }]]);
  reads[0]?.end();
  await turn();
  reads[1]?.end();
  expect(await namesOf(first)).toEqual(['0 a 10']);
  expect(await Promise.all(later.map(namesOf))).toEqual([['1 a 11'], ['1 b 11'], ['1 a 11'], ['1 b 11']]);
  expect(reads[1]?.asked).toEqual([
    { siteId: 'a', at: 11 },
    { siteId: 'b', at: 11 },
  ]);
});

test('a read that fails fails for those who wait for it, and the next one is read', async () => {
  const { reads, ask } = heldReads();
  const failing = Promise.allSettled([ask.of('a', 10), ask.of('b', 10)]);
  await turn();
  const next = ask.of('a', 10);
  reads[0]?.fail(new Error('away'));
  expect((await failing).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  await turn();
  reads[1]?.end();
  expect(await namesOf(next)).toEqual(['1 a 10']);
});

test('a read that does not end holds back the next one for a while only', async () => {
  const { reads, ask } = heldReads(20);
  void ask.of('a', 10);
  await turn();
  const next = ask.of('b', 10);
  await turn();
  expect(reads.length).toBe(1);
  await expect.poll(() => reads.length).toBe(2);
  reads[1]?.end();
  expect(await namesOf(next)).toEqual(['1 b 10']);
});

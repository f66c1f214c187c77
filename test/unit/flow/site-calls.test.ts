import { expect, test } from 'vitest';
import { Unavailable } from '../../../src/domain/failures.ts';
import type { SiteAdapter } from '../../../src/domain/site-adapter.ts';
import { withDeadlines } from '../../../src/flow/site-calls.ts';

const DEADLINE = 40;
const spec = {} as Parameters<SiteAdapter['submit']>[0];

/** A site that answers only when it is told to. */
function silentSite() {
  const asked: string[] = [];
  const answers: ((value: never) => void)[] = [];
  const never = (verb: string) => () => {
    asked.push(verb);
    return new Promise<never>((answer) => answers.push(answer));
  };
  const verbs = ['facts', 'snapshot', 'submit', 'find', 'inspect', 'cancel', 'history'];
  const adapter = Object.fromEntries(verbs.map((verb) => [verb, never(verb)])) as unknown as SiteAdapter;
  return { asked, answers, adapter: withDeadlines(adapter, DEADLINE) };
}

test('silence ends by the deadline, and says whether something may have happened', async () => {
  const { adapter } = silentSite();
  await expect(adapter.snapshot()).rejects.toMatchObject({ kind: 'transient' });
  await expect(adapter.find('key', 0)).rejects.toMatchObject({ kind: 'transient' });
  await expect(adapter.submit(spec, 'key')).rejects.toMatchObject({ kind: 'unknown' });
  await expect(adapter.cancel({ nativeId: '1', submittedAt: 0 })).rejects.toMatchObject({ kind: 'unknown' });
});

test('while a call that was given up is under way no other of its kind is made, and one of another kind is', async () => {
  const { adapter, asked, answers } = silentSite();
  await expect(adapter.submit(spec, 'first')).rejects.toMatchObject({ kind: 'unknown' });
  await expect(adapter.submit(spec, 'second')).rejects.toMatchObject({ kind: 'transient' });
  expect(asked).toEqual(['submit']);
  await expect(adapter.find('first', 0)).rejects.toBeInstanceOf(Unavailable);
  expect(asked).toEqual(['submit', 'find']);
  answers[0]?.({ nativeId: '7', submittedAt: 1 } as never);
  await new Promise((done) => setImmediate(done));
  await expect(adapter.submit(spec, 'third')).rejects.toMatchObject({ kind: 'unknown' });
  expect(asked).toEqual(['submit', 'find', 'submit']);
});

test('one listing at a time, a few submissions, and those that wait are not asked when the ones before were lost', async () => {
  const { adapter, asked } = silentSite();
  const looks = Array.from({ length: 5 }, () => adapter.snapshot().catch(({ kind }) => kind));
  const submissions = Array.from({ length: 9 }, (_, n) => adapter.submit(spec, `k${n}`).catch(({ kind }) => kind));
  expect(await Promise.all(looks)).toEqual(Array(5).fill('transient'));
  expect((await Promise.all(submissions)).sort()).toEqual([...Array(6).fill('transient'), ...Array(3).fill('unknown')]);
  expect(asked.filter((verb) => verb === 'snapshot')).toHaveLength(1);
  expect(asked.filter((verb) => verb === 'submit')).toHaveLength(3);
});

test('of a healthy site every call is answered, in turn', async () => {
  let most = 0;
  let now = 0;
  const submit = async (_: unknown, key: string) => {
    most = Math.max(most, ++now);
    await new Promise((done) => setTimeout(done, 1));
    now--;
    return { nativeId: key, submittedAt: 0 };
  };
  const adapter = withDeadlines({ submit } as unknown as SiteAdapter, 10_000);
  const answers = await Promise.all(Array.from({ length: 30 }, (_, n) => adapter.submit(spec, `k${n}`)));
  expect(answers.map(({ nativeId }) => nativeId)).toEqual(Array.from({ length: 30 }, (_, n) => `k${n}`));
  expect(most).toBe(3);
});

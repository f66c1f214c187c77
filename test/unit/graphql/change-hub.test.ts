import { expect, test } from 'vitest';
import { ChangeHub } from '../../../src/graphql/change-hub.ts';
import type { ChangeEvent } from '../../../src/store/events.ts';

const event = (id: string, tenantId = 'mine'): ChangeEvent => ({ type: 'EXECUTION', id, tenantId });
const mine = ({ tenantId }: ChangeEvent) => tenantId === 'mine';

test('a follower gets what it may see, from the ids it began with on', async () => {
  const hub = new ChangeHub();
  const stream = hub.follow(mine, ['first']);
  hub.publish(event('other', 'theirs'));
  hub.publish(event('a'));
  expect(await stream.next()).toEqual({ done: false, value: 'first' });
  expect(await stream.next()).toEqual({ done: false, value: 'a' });
  const waiting = stream.next();
  hub.publish(event('b'));
  expect(await waiting).toEqual({ done: false, value: 'b' });
});

test('a slow follower gets each changed thing once, however often it changed', async () => {
  const hub = new ChangeHub();
  const stream = hub.follow(mine, []);
  for (let time = 0; time < 10_000; time++) hub.publish(event(`job ${time % 3}`));
  const got = [await stream.next(), await stream.next(), await stream.next()].map(({ value }) => value);
  expect(got).toEqual(['job 0', 'job 1', 'job 2']);
  hub.publish(event('job 1'));
  expect(await stream.next()).toEqual({ done: false, value: 'job 1' });
});

test('a follower that leaves, even while it waits, is forgotten', async () => {
  const hub = new ChangeHub();
  const asked: string[] = [];
  const stream = hub.follow(({ id }) => asked.push(id) > 0, []);
  const waiting = stream.next();
  await stream.return?.();
  expect(await waiting).toEqual({ done: true, value: undefined });
  hub.publish(event('a'));
  expect(asked).toEqual([]);
  expect(await stream.next()).toEqual({ done: true, value: undefined });
});

test('whoever follows one thing is told of it again when changes may have gone unheard', async () => {
  const hub = new ChangeHub();
  const one = hub.follow(mine, ['job']);
  await one.next();
  hub.repeat();
  expect(await one.next()).toEqual({ done: false, value: 'job' });
});

test('closing ends every stream', async () => {
  const hub = new ChangeHub();
  const ends = [hub.follow(mine, []).next(), hub.follow(mine, []).next()];
  hub.close();
  expect(await Promise.all(ends)).toEqual([
    { done: true, value: undefined },
    { done: true, value: undefined },
  ]);
});

test('nobody follows more at once than it may, over however many connections', async () => {
  const hub = new ChangeHub();
  const mine2 = { name: 'mine', most: 2 };
  const [first] = [hub.follow(mine, [], mine2), hub.follow(mine, [], mine2)];
  expect(() => hub.follow(mine, [], mine2)).toThrow('at most 2');
  hub.follow(mine, [], { name: 'theirs', most: 2 });
  await first?.return?.();
  hub.follow(mine, [], mine2);
});

test('what is told to many is looked at once, and anew after the next change', () => {
  const hub = new ChangeHub();
  let looks = 0;
  const look = () => hub.lookOnce('job', () => ++looks);
  hub.publish(event('a'));
  expect([look(), look(), hub.lookOnce('site', () => 'other'), look()]).toEqual([1, 1, 'other', 1]);
  hub.publish(event('a'));
  expect([look(), look()]).toEqual([2, 2]);
  hub.repeat();
  expect(look()).toBe(3);
});

import { pino } from 'pino';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { logFault, watchStore } from '../../../src/store/log-fault.ts';
import { asLostWakeUp } from '../../../src/store/lost-wake-up.ts';
import { outagesOf } from '../../../src/store/outages.ts';
import { asRedisFault, RedisFault } from '../../../src/store/redis-fault.ts';

let logged: Record<string, unknown>[];
let logger: pino.Logger;
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance', 'setInterval', 'clearInterval'] });
  logged = [];
  logger = pino({ base: null }, { write: (line: string) => void logged.push(JSON.parse(line)) });
});
afterEach(() => {
  vi.useRealTimers();
});

const readOnly = () => Object.assign(new Error('cannot execute UPDATE in a read-only transaction'), { code: '25006' });
const full = () => Object.assign(new Error('could not extend file: No space left on device'), { code: '53100' });
const oom = () => new RedisFault('OOM command not allowed', 'OOM', 'evalsha');

test('a store that stays away is one line for each kind of fault, and one an hour', () => {
  for (let second = 0; second < 3700; second++) {
    logFault(logger, readOnly(), 'step failed', { targetId: `${second}` });
    logFault(logger, full(), 'relay');
    logFault(logger, oom(), 'relay');
    vi.advanceTimersByTime(1000);
  }
  expect(logged.map(({ msg, unlogged }) => [msg, unlogged])).toEqual([
    ['step failed: the database is away', 0],
    ['relay: the database refuses', 0],
    ['relay: the queue store refuses', 0],
    ['step failed: the database is away', 3599],
    ['relay: the database refuses', 3599],
    ['relay: the queue store refuses', 3599],
  ]);
  expect(outagesOf(logger).last).toEqual({ store: 'queue store', code: 'OOM', reason: 'OOM command not allowed' });
});

test('wake-ups that a queue store lost while they were in hand are one line', () => {
  for (const code of [-1, -2]) {
    const error = Object.assign(new Error('Missing key for job SITE_1. moveToFinished'), { code });
    logFault(logger, asLostWakeUp(error), 'queue');
  }
  logFault(logger, asLostWakeUp(new Error('could not renew lock for job SITE_1')), 'queue');
  expect(logged.map(({ msg, level }) => [msg, level])).toEqual([
    ['queue: the queue store lost a wake-up that was in hand, which is brought back', 40],
  ]);
  const other = Object.assign(new Error('no such file'), { code: 'ENOENT' });
  expect(asLostWakeUp(other)).toBe(other);
});

test('a mistake of ours is told every time', () => {
  for (const _ of [1, 2]) logFault(logger, new TypeError('undefined is no function'), 'relay');
  expect(logged.map(({ msg, level }) => [msg, level])).toEqual([
    ['relay', 50],
    ['relay', 50],
  ]);
});

test('that a store is back is told once, after how long, when it answers and is heard of no more', async () => {
  let isThere = false;
  const end = watchStore(logger, 'database', async () => isThere);
  await vi.advanceTimersByTimeAsync(10_000);
  logFault(logger, readOnly(), 'relay');
  await vi.advanceTimersByTimeAsync(20_000);
  logFault(logger, readOnly(), 'relay');
  isThere = true;
  await vi.advanceTimersByTimeAsync(3000);
  expect(logged).toHaveLength(1);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(logged.slice(1)).toMatchObject([{ msg: 'the database answers again', unlogged: 1 }]);
  expect(logged[1]?.awaySeconds).toBeCloseTo(25, -1);
  logFault(logger, readOnly(), 'relay');
  expect(logged).toHaveLength(3);
  end();
});

test('an error of Redis keeps nothing of its command but the name', () => {
  const error = Object.assign(new Error("ERR unknown command 'HELLO', with args beginning with: 'AUTH' 'pw'"), {
    command: { name: 'hello', args: ['AUTH', 'pw'] },
  });
  const fault = asRedisFault(error);
  expect({ ...fault, message: fault.message }).toEqual({
    name: 'RedisFault',
    message: "ERR unknown command 'HELLO'",
    code: 'ERR',
    command: 'hello',
  });
  const own = new Error('the queue is not empty');
  expect(asRedisFault(own)).toBe(own);
});

test('what Prisma wraps is told by what PostgreSQL called it, however it is wrapped', () => {
  const wrapped = (originalCode: string) => {
    const meta = { driverAdapterError: { cause: { originalCode, kind: 'postgres' } } };
    return Object.assign(new Error('Raw query failed'), { code: 'P2010', meta });
  };
  for (const code of ['25006', '53100', '25006']) logFault(logger, wrapped(code), 'relay');
  expect(logged.map(({ msg }) => msg)).toEqual(['relay: the database is away', 'relay: the database refuses']);
  const own = new Error('round and round');
  own.cause = own;
  logFault(logger, own, 'relay');
  expect(logged.at(-1)?.msg).toBe('relay');
});

import { pino } from 'pino';
import { expect, test } from 'vitest';
import type { SiteAdapter } from '../../../src/domain/site-adapter.ts';
import { CheckedAdapter } from '../../../src/flow/checked-adapter.ts';
import { SteppedClock } from '../../stepped-clock.ts';

const ENDED = {
  ...{ nativeId: '7', user: 'ann', queue: null, processors: 1, requestedWalltimeSeconds: 60 },
  ...{ submitAt: 1, startAt: 2, endAt: 3, outcome: 'COMPLETED' },
};
const USE = { cpuSeconds: 1, memoryBytes: 2, readBytes: 3, writtenBytes: 4 };
const PROGRAM = { name: 'cfd', script: null, arguments: [], workFolder: '/home/ann' };

/** An adapter of these verbs as the flow relies on it. */
function checked(verbs: object): CheckedAdapter {
  const adapter = { ...verbs, capabilities: {} } as unknown as SiteAdapter;
  const limits = { maxSkewSeconds: 60, callMilliseconds: 1000 };
  return new CheckedAdapter(adapter, new SteppedClock(10), limits, pino({ level: 'silent' }), 'east');
}

/** The record as the flow gets it from a site that tells that beside it. */
async function told(beside: object) {
  const history = () => Promise.resolve({ records: [{ ...ENDED, ...beside }], nextSince: 0 });
  return (await checked({ history }).history(0)).records[0];
}

test('what is told of a job beside what is planned on comes through', async () => {
  const beside = { account: 'physics', group: 'users', program: PROGRAM, use: USE };
  expect(await told(beside)).toMatchObject({ ...ENDED, ...beside });
  expect(await told({})).toEqual(ENDED);
});

test.each([
  [
    'a folder that is too long',
    { program: { ...PROGRAM, workFolder: 'x'.repeat(5000) } },
    { ...PROGRAM, workFolder: null },
  ],
  ['a name with NUL', { program: { ...PROGRAM, name: 'a\0' } }, { ...PROGRAM, name: null }],
])('nonsense among it counts as nothing said, and the rest stays: %s', async (_, beside, program) => {
  expect(await told(beside)).toMatchObject({ ...ENDED, program });
});

test('an amount that cannot be is not told, the others are', async () => {
  expect(await told({ use: { ...USE, readBytes: -1, cpuSeconds: Number.NaN } })).toMatchObject({
    ...ENDED,
    use: { ...USE, readBytes: null, cpuSeconds: null },
  });
  expect(await told({ use: 'much', account: 5 })).toEqual(ENDED);
});

test.each([
  { state: 'WAITING', startAt: null, endAt: null, outcome: null },
  { state: 'RUNNING', startAt: 2, endAt: null, outcome: null, earlierRunSeconds: 7 },
  {
    ...{ state: 'ENDED', startAt: 2, endAt: 3, outcome: 'FAILED', exitCode: null },
    ...{ note: 'its output files could not be opened', billedProcessors: 2, earlierRunSeconds: 7 },
  },
])('all that is told of a job of ours comes through: %o', async (state) => {
  const job = { nativeId: '7', submittedAt: 1, key: 'gc-1', ...state };
  expect(await checked({ find: async () => job }).find('gc-1', 0)).toEqual(job);
  expect(await checked({ inspect: async () => new Map([['7', job]]) }).inspect([job])).toEqual(new Map([['7', job]]));
});

test('a note that cannot be kept is not told, and the end is', async () => {
  const end = { state: 'ENDED', startAt: 2, endAt: 3, outcome: 'FAILED', exitCode: 1 };
  const job = { nativeId: '7', submittedAt: 1, ...end };
  const find = async () => ({ ...job, note: 'a\0' });
  expect(await checked({ find }).find('gc-1', 0)).toEqual(job);
});

test('a history comes through with the oldest change first, in whatever order it was told', async () => {
  const running = { ...ENDED, nativeId: '8', submitAt: 4, startAt: 5, endAt: null, outcome: null };
  const waiting = { ...running, nativeId: '9', startAt: null };
  const records = [running, { ...running, endAt: 6, outcome: 'FAILED' }, waiting, ENDED];
  const { records: heard } = await checked({ history: async () => ({ records, nextSince: 7 }) }).history(0);
  expect(heard).toEqual([ENDED, waiting, running, { ...running, endAt: 6, outcome: 'FAILED' }]);
});

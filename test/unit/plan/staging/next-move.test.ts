import { expect, test } from 'vitest';
import { STAGING_STATES } from '../../../../src/domain/staging.ts';
import {
  type FileFacts,
  nextMove,
  readinessOf,
  type StagedJob,
  type StagingFacts,
} from '../../../../src/plan/staging/next-move.ts';

const NOW = 1000;
const file = (direction: 'IN' | 'OUT', state: FileFacts['state'], fault: string | null = null): FileFacts => {
  return { direction, state, fault };
};
const staging = (over: Partial<StagingFacts> = {}): StagingFacts => ({
  ...{ siteId: 'elm', failedTries: 0, state: 'FILLING', folder: '/scratch/a', keepsFolder: false },
  ...{ deadlineAt: NOW + 1, fault: null, files: [file('IN', 'MOVED'), file('IN', 'MOVING'), file('OUT', 'WAITING')] },
  ...over,
});
const held: StagedJob = {
  ...{ state: 'HELD', siteId: 'elm', failedTries: 0, cancelRequestedAt: null, nativeId: null, startedAt: null },
};
const ran: StagedJob = { ...held, state: 'ENDED', nativeId: '7', startedAt: 900 };
const pass = (to: string, fault: string | null = null) => ({ kind: 'PASS', to, fault });

test('the folder is made, then the inputs are moved one after another, then the job may come', () => {
  expect(nextMove(staging({ folder: null }), held, NOW)).toEqual({ kind: 'MAKE' });
  expect(nextMove(staging(), held, NOW)).toEqual({ kind: 'MOVE', file: file('IN', 'MOVING') });
  expect(nextMove(staging({ files: [file('IN', 'MOVED'), file('OUT', 'WAITING')] }), held, NOW)).toEqual(pass('READY'));
});

test.each([
  ['was cancelled', { ...held, cancelRequestedAt: NOW }],
  ['is planned anew', { ...held, state: 'REQUESTED' as const, siteId: null }],
  ['goes elsewhere', { ...held, siteId: 'oak' }],
  ['is tried again', { ...held, failedTries: 1 }],
  ['is over', { ...held, state: 'ENDED' as const }],
])('nothing is moved for a job that %s, and its folder goes', (_, job) => {
  expect(nextMove(staging(), job, NOW)).toEqual(pass('CLEARING'));
  expect(nextMove(staging({ state: 'READY' }), job, NOW)).toEqual(pass('CLEARING'));
});

test('nothing is moved into the folder of a job that is sought, or that its site has: it may be read there', () => {
  const sought = { ...held, soughtSince: NOW - 1 };
  expect(nextMove(staging(), sought, NOW)).toEqual({ kind: 'WAIT' });
  for (const state of ['SUBMITTING', 'QUEUED', 'RUNNING'] as const) {
    expect(nextMove(staging(), { ...sought, state }, NOW)).toEqual(pass('READY'));
  }
  expect(nextMove(staging(), ran, NOW)).toEqual(pass('READY'));
  expect(nextMove(staging(), { ...ran, failedTries: 1 }, NOW)).toEqual(pass('CLEARING'));
});

test('a file that cannot be moved, or not in time, ends it before anything is submitted', () => {
  const files = [file('IN', 'FAILED', 'NOT_FOUND'), file('IN', 'WAITING')];
  expect(nextMove(staging({ files }), held, NOW)).toEqual(pass('CLEARING', 'NOT_FOUND'));
  expect(nextMove(staging(), held, NOW + 1)).toEqual(pass('CLEARING', 'TOO_LATE'));
});

test('while the job waits and runs nothing is moved; a wish to cancel it at its site waits for its end', () => {
  for (const state of ['HELD', 'SUBMITTING', 'QUEUED', 'RUNNING'] as const) {
    expect(nextMove(staging({ state: 'READY' }), { ...held, state }, NOW + 9)).toEqual({ kind: 'WAIT' });
  }
  const job = { ...held, state: 'RUNNING' as const, cancelRequestedAt: NOW };
  expect(nextMove(staging({ state: 'READY' }), job, NOW)).toEqual({ kind: 'WAIT' });
});

test('after its end the outputs of a job that ran are moved out, then its folder goes unless it is kept', () => {
  const ready = staging({ state: 'READY', files: [file('OUT', 'WAITING')] });
  expect(nextMove(ready, ran, NOW)).toEqual(pass('EMPTYING'));
  expect(nextMove(ready, { ...ran, startedAt: null }, NOW)).toEqual(pass('CLEARING'));
  expect(nextMove({ ...ready, files: [] }, ran, NOW)).toEqual(pass('CLEARING'));
  expect(nextMove({ ...ready, files: [], keepsFolder: true }, ran, NOW)).toEqual(pass('KEPT'));
  const emptying = { ...ready, state: 'EMPTYING' as const };
  expect(nextMove(emptying, ran, NOW)).toEqual({ kind: 'MOVE', file: file('OUT', 'WAITING') });
  const done = { ...emptying, files: [file('OUT', 'MOVED'), file('OUT', 'FAILED', 'NOT_FOUND')] };
  expect(nextMove(done, ran, NOW)).toEqual(pass('CLEARING'));
  expect(nextMove({ ...done, keepsFolder: true }, ran, NOW)).toEqual(pass('KEPT'));
});

test('a folder with outputs that could not be moved stays', () => {
  const files = [file('OUT', 'MOVED'), file('OUT', 'FAILED', 'DENIED')];
  expect(nextMove(staging({ state: 'EMPTYING', files }), ran, NOW)).toEqual(pass('KEPT'));
  expect(nextMove(staging({ state: 'EMPTYING' }), ran, NOW + 1)).toEqual(pass('KEPT', 'TOO_LATE'));
});

test('a folder that is kept goes when its time is over', () => {
  const kept = staging({ state: 'KEPT', files: [file('OUT', 'MOVED')], keepsFolder: true });
  expect(nextMove(kept, ran, NOW)).toEqual({ kind: 'WAIT' });
  expect(nextMove(kept, ran, NOW + 1)).toEqual(pass('CLEARING'));
});

test('a folder is removed until that is done or cannot be waited for any longer', () => {
  const clearing = staging({ state: 'CLEARING' });
  expect(nextMove(clearing, ran, NOW)).toEqual({ kind: 'REMOVE' });
  expect(nextMove(clearing, ran, NOW + 1)).toEqual(pass('ENDED', 'SITE_FAULT'));
  expect(nextMove({ ...clearing, folder: null }, ran, NOW)).toEqual(pass('ENDED'));
  expect(nextMove(staging({ state: 'ENDED' }), ran, NOW)).toEqual({ kind: 'WAIT' });
});

test('a job is handed in where its files are, and ends where one of them cannot be moved', () => {
  expect(readinessOf(null, held)).toBe('BEGIN');
  expect(readinessOf(staging(), { ...held, siteId: 'oak' })).toBe('BEGIN');
  expect(readinessOf(staging({ state: 'READY' }), { ...held, failedTries: 1 })).toBe('BEGIN');
  expect(readinessOf(staging(), held)).toBe('WAIT');
  expect(readinessOf(staging({ state: 'READY' }), held)).toBe('READY');
  expect(readinessOf(staging({ state: 'CLEARING' }), held)).toBe('BEGIN');
  expect(readinessOf(staging({ state: 'ENDED', fault: 'DENIED' }), held)).toEqual({ fault: 'DENIED' });
  expect(STAGING_STATES).toHaveLength(6);
});

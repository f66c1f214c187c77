import { describe, expect, test } from 'vitest';
import type { NativeJob } from '../../../../src/domain/site-adapter.ts';
import {
  type ExecutionFacts,
  isLookFresh,
  isNews,
  type PromiseFacts,
  type TrackedJob,
  whatFollows,
  whatIsDue,
  whatLossMeans,
  whatSilenceMeans,
  whyLeave,
} from '../../../../src/plan/reservation/life.ts';

const START = 1000;
const queued: ExecutionFacts = {
  state: 'QUEUED',
  outcome: null,
  reason: null,
  processors: 4,
  attempts: 1,
  submitAt: 100,
  nativeSubmittedAt: 100,
  startedAt: null,
  endedAt: null,
  earlierRunSeconds: 0,
  deadlineAt: null,
  missingSince: null,
  cancelRequestedAt: null,
  cancelReason: null,
  settledAt: null,
  awaits: false,
  gateSeconds: null,
  gateOpenedAt: null,
};
const running: ExecutionFacts = { ...queued, state: 'RUNNING', startedAt: 300 };
const submitted: PromiseFacts = {
  state: 'SUBMITTED',
  mode: 'HOLD',
  startAt: START,
  windowOpensAt: null,
  ifMissed: 'CANCEL',
  holdPriceSeconds: 1800,
  coAllocationId: null,
  releasedProcessorSeconds: 0,
};
const ref = { nativeId: '7', submittedAt: 100 };
const waits: NativeJob = { ...ref, state: 'WAITING', startAt: null, endAt: null, outcome: null };
const runsFrom = (startAt: number): NativeJob => ({ ...ref, state: 'RUNNING', startAt, endAt: null, outcome: null });
const cancelled: NativeJob = { ...ref, state: 'ENDED', startAt: 300, endAt: 400, outcome: 'CANCELLED', exitCode: null };

function tracked(change: Partial<TrackedJob>): TrackedJob {
  return { execution: queued, reservation: submitted, leaving: null, siteName: 'east', ...change };
}

test.each([
  [{ outcome: 'FAILED', exitCode: 137 }, 'its site says FAILED, exit 137'],
  [{ outcome: 'FAILED', exitCode: null, note: 'no room' }, 'its site says FAILED: no room'],
  [{ outcome: 'TIMEOUT', exitCode: null }, 'its site says TIMEOUT'],
  [{ outcome: 'COMPLETED', exitCode: 0 }, null],
] as const)('a job that ended with %o has the reason %j', (end, reason) => {
  const job: NativeJob = { ...ref, state: 'ENDED', startAt: 300, endAt: 400, ...end };
  expect(whatFollows(tracked({ reservation: null }), job, 500).execution).toMatchObject({ reason });
});

describe('a promise whose job is seen', () => {
  test('to run early holds, and is looked after at once', () => {
    const moves = whatFollows(tracked({}), runsFrom(300), 400);
    expect(moves).toMatchObject({ execution: { state: 'RUNNING', startedAt: 300 }, reservation: ['HOLDING'] });
    expect(moves.next).toEqual({ at: 400 });
  });

  test('to run before anybody has noted that it was submitted passes through every state', () => {
    const promised = { ...submitted, state: 'PROMISED' } as const;
    expect(whatFollows(tracked({ reservation: promised }), runsFrom(300), 400).reservation).toEqual([
      'SUBMITTED',
      'HOLDING',
    ]);
    expect(whatFollows(tracked({ reservation: promised }), runsFrom(1001), 1100).reservation).toEqual(['SUBMITTED']);
  });

  test('to wait again, after its site put it back, holds no more', () => {
    const holding = { ...submitted, state: 'HOLDING' } as const;
    const moves = whatFollows(tracked({ execution: running, reservation: holding }), waits, 500);
    expect(moves).toMatchObject({ execution: { state: 'QUEUED', startedAt: null }, reservation: ['SUBMITTED'] });
    expect(moves.next).toBe('AS_BEFORE');
  });

  test('to have given its processors back is held again, and pays for what it held', () => {
    const execution = { ...running, submitAt: 700 };
    const holding = { ...submitted, state: 'HOLDING' } as const;
    const moves = whatFollows(tracked({ execution, reservation: holding, leaving: 'RELEASING' }), cancelled, 420);
    expect(moves).toMatchObject({ attempt: 'RELEASED', reservation: ['PROMISED'], releasedProcessorSeconds: 400 });
    expect(moves.execution).toMatchObject({ state: 'HELD', submitAt: 700, nativeId: null, startedAt: null });
    expect(moves.next).toEqual({ at: 700 });
  });

  test('to have started although it was to be withdrawn stays', () => {
    const moves = whatFollows(tracked({ leaving: 'WITHDRAWING' }), runsFrom(300), 400);
    expect(moves).toMatchObject({ attempt: 'ACCEPTED', reservation: ['HOLDING'] });
    expect(moves.execution.reason).toBe('it started at east before it could be withdrawn');
  });

  test('to have been given back before a restore, which nobody knows of any more, is held again', () => {
    const sought = tracked({ execution: { ...running, soughtSince: 500 } });
    expect(whatFollows(sought, cancelled, 600)).toMatchObject({
      execution: { state: 'HELD', nativeId: null },
      attempt: 'RELEASED',
      reservation: ['PROMISED'],
      releasedProcessorSeconds: 400,
      next: { at: 600 },
    });
    const ends = (change: Partial<TrackedJob>) => whatFollows({ ...sought, ...change }, cancelled, 600).execution.state;
    expect(ends({ execution: { ...running, soughtSince: 500, cancelRequestedAt: 550 } })).toBe('ENDED');
    expect(ends({ execution: running })).toBe('ENDED');
    expect(ends({ reservation: null })).toBe('ENDED');
  });

  test('to have ended when nobody asked for that has ended', () => {
    const moves = whatFollows(tracked({ execution: running }), cancelled, 420);
    expect(moves).toMatchObject({
      execution: { state: 'ENDED', outcome: 'CANCELLED' },
      reservation: [],
      attempt: null,
    });
  });
});

test('a sought job that is there is sought no more', () => {
  const sought = tracked({ execution: { ...queued, soughtSince: 500 } });
  expect(isNews(sought.execution, waits)).toBe(true);
  expect(whatFollows(sought, waits, 600).execution).toMatchObject({ state: 'QUEUED', soughtSince: null });
  expect(whatFollows(sought, runsFrom(550), 600).execution).toMatchObject({ state: 'RUNNING', soughtSince: null });
});

test('only what is new is news', () => {
  expect(isNews(queued, waits)).toBe(false);
  expect(isNews({ ...queued, missingSince: 200 }, waits)).toBe(true);
  expect(isNews(running, runsFrom(300))).toBe(false);
  expect(isNews(running, runsFrom(310))).toBe(true);
  expect(isNews(running, cancelled)).toBe(true);
});

describe('silence', () => {
  const silence = { observedAt: 500, now: 510, patienceSeconds: 60, hasAccounting: true };

  test('is noted, and proves nothing before its time', () => {
    expect(whatSilenceMeans(queued, silence)?.execution).toEqual({ missingSince: 500 });
    expect(whatSilenceMeans({ ...queued, missingSince: 460 }, silence)?.execution).toEqual({ missingSince: 460 });
    expect(whatSilenceMeans({ ...queued, missingSince: 450 }, silence)).toBeNull();
  });

  test('of a job that waited brings it back once, of one that ran it ends it', () => {
    expect(whatLossMeans(tracked({}), silence)).toMatchObject({
      execution: { state: 'HELD' },
      reservation: ['PROMISED'],
    });
    const twice = { ...queued, attempts: 2 };
    expect(whatLossMeans(tracked({ execution: twice }), silence).execution).toMatchObject({ outcome: 'LOST' });
    expect(whatLossMeans(tracked({ execution: running }), silence).execution).toMatchObject({ outcome: 'LOST' });
  });
});

test('silence of a site without accounting never has a job run twice: it may have run unseen', () => {
  const silence = { observedAt: 500, now: 900, patienceSeconds: 60, hasAccounting: false };
  for (const leaving of [null, 'WITHDRAWING'] as const) {
    const { execution, attempt } = whatLossMeans(tracked({ leaving }), silence);
    expect(execution).toMatchObject({ outcome: 'LOST', reason: expect.stringMatching(/may have run to its end$/) });
    expect(attempt).toBeNull();
  }
  expect(whatLossMeans(tracked({ execution: running, leaving: 'RELEASING' }), silence).attempt).toBe('RELEASED');
});

test('what is due is read off the states', () => {
  expect(whatIsDue(queued, submitted, 999)).toBe('STAY_OR_WITHDRAW');
  expect(whatIsDue(running, submitted, 999)).toBe('HOLD_OR_RELEASE');
  expect(whatIsDue(running, submitted, START)).toBe('DECIDE');
  expect(whatIsDue(running, { ...submitted, state: 'KEPT' }, START)).toBeNull();
  expect(whatIsDue({ ...queued, cancelRequestedAt: 5 }, submitted, 999)).toBe('CANCEL');
  expect(whatIsDue({ ...queued, state: 'HELD' }, null, 999)).toBe('WAIT');
  const sought = { ...queued, soughtSince: 5, cancelRequestedAt: 6 };
  expect(whatIsDue({ ...sought, state: 'HELD' }, null, 999)).toBe('SEEK');
  expect(whatIsDue({ ...sought, state: 'REQUESTED' }, null, 999)).toBe('SEEK');
  expect(whatIsDue({ ...sought, state: 'SUBMITTING' }, null, 999)).toBe('CANCEL');
  expect(whatIsDue({ ...queued, state: 'ENDED' }, submitted, 999)).toBe('SETTLE');
  expect(whatIsDue({ ...queued, state: 'ENDED', settledAt: 7 }, submitted, 999)).toBeNull();
});

describe('a job that its site says it never starts', () => {
  const stuck = { ...queued, neverStartsSince: 200 };
  const givenBack: NativeJob = { ...cancelled, startAt: null };
  const asked = tracked({ execution: stuck, reservation: null, leaving: 'WITHDRAWING' });

  test('stays or leaves where nothing of it is promised', () => {
    expect(whatIsDue(stuck, null, 999)).toBe('STAY_OR_LEAVE');
    expect(whatIsDue(stuck, { ...submitted, state: 'MISSED' }, 999)).toBe('STAY_OR_LEAVE');
    expect(whatIsDue(stuck, submitted, 999)).toBe('STAY_OR_WITHDRAW');
    expect(whatIsDue({ ...stuck, awaits: true }, null, 999)).toBe('AWAIT');
    expect(whatIsDue({ ...stuck, state: 'RUNNING' }, null, 999)).toBeNull();
  });

  test('is planned anew when it was given back, and its attempt counts as refused', () => {
    const moves = whatFollows(asked, givenBack, 500);
    expect(moves.execution).toMatchObject({ state: 'REQUESTED', siteId: null, nativeId: null, neverStartsSince: null });
    expect(moves).toMatchObject({ attempt: 'REJECTED', next: { at: 500 } });
    const missed = { ...submitted, state: 'MISSED', ifMissed: 'RUN_LATE' } as const;
    expect(whatFollows({ ...asked, reservation: missed }, givenBack, 500).execution.state).toBe('REQUESTED');
  });

  test('is planned anew also when its site denies it by now', () => {
    const denied = tracked({ execution: queued, reservation: null, leaving: 'WITHDRAWING' });
    const moves = whatFollows(denied, givenBack, 500);
    expect(moves).toMatchObject({ execution: { state: 'REQUESTED' }, attempt: 'REJECTED' });
    const missed = { ...submitted, state: 'MISSED', ifMissed: 'RUN_LATE' } as const;
    const down = whatFollows({ ...denied, reservation: missed }, givenBack, 500);
    expect(down).toMatchObject({ execution: { state: 'HELD' }, attempt: 'WITHDRAWN' });
  });

  test('goes on looking for another place where something of it is promised', () => {
    const moves = whatFollows({ ...asked, reservation: submitted }, givenBack, 500);
    expect(moves).toMatchObject({ execution: { state: 'HELD', submitAt: 500 }, reservation: ['PROMISED'] });
    expect(moves.attempt).toBe('REJECTED');
  });

  test('is an ordinary one again once it runs', () => {
    const moves = whatFollows(asked, runsFrom(300), 400);
    expect(moves).toMatchObject({ execution: { state: 'RUNNING', neverStartsSince: null }, attempt: 'ACCEPTED' });
  });
});

test('a look is fresh for one interval, that long included', () => {
  expect(isLookFresh(100, 400, 300)).toBe(true);
  expect(isLookFresh(100, 401, 300)).toBe(false);
});

describe('a promise leaves its site', () => {
  const place = { siteName: 'east', siteState: 'ACTIVE', obstacle: null, isWithdrawn: false, refusal: null } as const;
  const at = { ...place, submitAt: 500 };

  test('not while nothing stands against it', () => {
    expect(whyLeave(at, 400)).toBeNull();
    const passing = { until: 450, siteSays: 'full' };
    expect(whyLeave({ ...at, refusal: passing }, 400)).toBeNull();
  });

  test('for good when its place there is lost', () => {
    expect(whyLeave({ ...at, isWithdrawn: true }, 400)).toMatchObject({ isOut: true });
    expect(whyLeave({ ...at, siteState: 'REMOVING' }, 400)).toMatchObject({ isOut: true });
    const refusal = { until: 900, siteSays: 'full' };
    expect(whyLeave({ ...at, refusal }, 500)).toEqual({ why: 'east refuses it: full', isOut: true, isTold: false });
    expect(whyLeave({ ...at, refusal }, 400)).toMatchObject({ isOut: false });
  });

  test('for a maintenance only where another promises as much, and says so', () => {
    expect(whyLeave({ ...at, obstacle: 'east is closed' }, 400)).toEqual({
      why: 'east is closed',
      isOut: false,
      isTold: true,
    });
  });
});

test('what accounting bills for a job replaces what was expected of it, where it tells', () => {
  const ended = { ...ref, state: 'ENDED', startAt: 300, endAt: 400, outcome: 'COMPLETED', exitCode: 0 } as const;
  const tracked = { execution: queued, reservation: null, leaving: null, siteName: 'birch' };
  expect(whatFollows(tracked, { ...ended, billedProcessors: 36 }, 500).execution).toMatchObject({
    billedProcessors: 36,
  });
  expect(whatFollows(tracked, ended, 500).execution).not.toHaveProperty('billedProcessors');
});

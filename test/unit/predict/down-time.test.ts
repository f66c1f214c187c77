import { describe, expect, test } from 'vitest';
import type { DownTimeState } from '../../../src/domain/down-time.ts';
import type { RunningJob, Snapshot, WaitingJob } from '../../../src/domain/snapshot.ts';
import { judgeDownTime, NEVER_LOOKED_AT, noteNoAnswer, noteSnapshot } from '../../../src/predict/down-time.ts';

const job = (nativeId: string, submitAt: number, processors = 1): WaitingJob => {
  return { nativeId, key: null, user: null, queue: null, processors, requestedWalltimeSeconds: 3600, submitAt };
};

/** A site of ten processors with these jobs. */
function site(observedAt: number, waiting: readonly WaitingJob[], running: readonly RunningJob[] = []): Snapshot {
  const busy = running.reduce((sum, { processors }) => sum + processors, 0);
  return { observedAt, processors: 10, freeProcessors: 10 - busy, waiting, running };
}

/** A site known for jobs that start within five minutes; every job waits a minute. */
function watched(untilAt: number): DownTimeState {
  let state = NEVER_LOOKED_AT;
  for (let at = 0; at <= untilAt; at += 300) {
    const running = [{ ...job(`r${at}`, at - 160), startAt: at - 100 }];
    state = noteSnapshot(state, site(at, [job(`w${at}`, at - 10, 10)], running));
  }
  return state;
}

const DAY = 86_400;

test('a site where jobs start is up', () => {
  expect(judgeDownTime(watched(DAY), DAY)).toEqual({ isDown: false, evidence: [] });
});

describe('no starts', () => {
  test('down half an hour after the last start though one would fit, up with the next start', () => {
    let state = watched(DAY);
    const waiting = [job('a', DAY)];
    for (let at = DAY + 300; at < DAY + 2100; at += 300) {
      state = noteSnapshot(state, site(at, waiting));
      expect(judgeDownTime(state, at).isDown).toBe(false);
    }
    state = noteSnapshot(state, site(DAY + 2100, waiting));
    const { evidence } = judgeDownTime(state, DAY + 2100);
    expect(evidence).toMatchObject([{ sign: 'NO_STARTS', sinceAt: DAY + 300, observed: 1800, limit: 1800 }]);
    expect(evidence[0]?.explanation).toBe(
      'jobs wait and none has started for 30 m though one would fit; usual is less than 30 m',
    );
    const started = site(DAY + 2400, [job('b', DAY)], [{ ...job('a', DAY), startAt: DAY + 2350 }]);
    expect(judgeDownTime(noteSnapshot(state, started), DAY + 2400).isDown).toBe(false);
  });

  test('a start that only accounting tells of counts', () => {
    let state = watched(DAY);
    for (let at = DAY + 300; at <= DAY + 2100; at += 300) {
      const record = { ...job(`s${at}`, at - 100), startAt: at - 50, endAt: at - 10, outcome: 'COMPLETED' as const };
      state = noteSnapshot(state, site(at, [job('a', DAY)]), [record]);
    }
    expect(judgeDownTime(state, DAY + 2100).isDown).toBe(false);
  });

  test('a full machine is given more time than one with room', () => {
    let state = watched(DAY);
    const running = [{ ...job('r', DAY, 10), startAt: DAY + 1 }];
    const verdicts = Array.from({ length: 26 }, (_, i) => {
      const at = DAY + 300 * (i + 1);
      state = noteSnapshot(state, site(at, [job('a', DAY)], running));
      return judgeDownTime(state, at).isDown;
    });
    expect(verdicts.indexOf(true)).toBe(24);
  });

  test('an empty queue is no sign, nor is what happened while nobody looked', () => {
    let state = watched(DAY);
    for (let at = DAY + 300; at < 2 * DAY; at += 300) state = noteSnapshot(state, site(at, []));
    expect(judgeDownTime(state, 2 * DAY).isDown).toBe(false);
    state = noteSnapshot(state, site(2 * DAY, [job('a', 2 * DAY - 60)]));
    state = noteSnapshot(state, site(3 * DAY, [job('b', 3 * DAY - 60)]));
    expect(judgeDownTime(state, 3 * DAY).isDown).toBe(false);
  });

  test('a site whose jobs often wait long is given as much time', () => {
    let state = NEVER_LOOKED_AT;
    for (let i = 0; i < 300; i++) {
      const at = i * 3000;
      state = noteSnapshot(state, site(at, [job(`w${i}`, at)], [{ ...job(`r${i}`, at - 60), startAt: at - 30 }]));
      state = noteSnapshot(
        state,
        site(at + 2700, [job(`w${i}`, at)], [{ ...job(`r${i}`, at - 60), startAt: at - 30 }]),
      );
    }
    const last = 300 * 3000;
    state = noteSnapshot(state, site(last, [job('x', last)]));
    state = noteSnapshot(state, site(last + 3300, [job('x', last)]));
    expect(judgeDownTime(state, last + 3300).isDown).toBe(false);
    state = noteSnapshot(state, site(last + 6600, [job('x', last)]));
    expect(judgeDownTime(state, last + 6600).isDown).toBe(true);
  });
});

describe('growing waits', () => {
  const startedAfter = (submitAt: number, wait: number): Snapshot => {
    const startAt = submitAt + wait;
    return site(startAt, [], [{ ...job(`g${submitAt}`, submitAt), startAt }]);
  };

  test('down after eight jobs, each submitted later and waiting longer, over more than an hour; up when one waits less', () => {
    let state = watched(DAY);
    const waits = Array.from({ length: 9 }, (_, i) => 30 + 600 * i);
    const verdicts = waits.map((wait, i) => {
      state = noteSnapshot(state, startedAfter(DAY + 600 * i, wait));
      return judgeDownTime(state, DAY + 1200 * i).isDown;
    });
    expect(verdicts.indexOf(true)).toBe(7);
    expect(judgeDownTime(state, 2 * DAY).evidence).toMatchObject([{ sign: 'GROWING_WAITS', observed: 9, limit: 8 }]);
    state = noteSnapshot(state, startedAfter(DAY + 600 * 9, 4500));
    expect(judgeDownTime(state, 2 * DAY).isDown).toBe(false);
  });

  test('a batch of one moment that is worked off is no sign', () => {
    let state = watched(DAY);
    for (let i = 1; i <= 20; i++) {
      const running = [{ ...job(`b${i}`, DAY), startAt: DAY + 600 * i }];
      state = noteSnapshot(state, site(DAY + 600 * i, [], running));
    }
    expect(judgeDownTime(state, 2 * DAY).isDown).toBe(false);
  });
});

test('unreachable after three looks without an answer in a quarter of an hour, up with the first answer', () => {
  let state = watched(DAY);
  for (const at of [DAY + 300, DAY + 600, DAY + 900]) state = noteNoAnswer(state, at, 'connection refused');
  expect(judgeDownTime(state, DAY + 900).isDown).toBe(false);
  expect(judgeDownTime(state, DAY + 1200)).toEqual({
    isDown: true,
    evidence: [
      {
        sign: 'UNREACHABLE',
        sinceAt: DAY + 300,
        observed: 900,
        limit: 900,
        explanation: 'it has not answered 3 looks in 15 m: connection refused',
      },
    ],
  });
  state = noteSnapshot(state, site(DAY + 1500, []));
  expect(judgeDownTime(state, DAY + 1500).isDown).toBe(false);
});

test('the state is plain data', () => {
  const state = watched(DAY);
  expect(JSON.parse(JSON.stringify(state))).toEqual(state);
});

import { describe, expect, test } from 'vitest';
import type { EndedRecord, StartedRecord } from '../../../../src/domain/job.ts';
import type { RunningJob, Snapshot, WaitingJob } from '../../../../src/domain/snapshot.ts';
import { replayBetween } from '../../../../src/predict/wait/gridcast/site-replay.ts';

const job = (nativeId: string, submitAt: number, processors = 4): WaitingJob => ({
  nativeId,
  key: null,
  user: null,
  queue: null,
  processors,
  requestedWalltimeSeconds: 3600,
  submitAt,
});
const running = (nativeId: string, submitAt: number, startAt: number, processors = 4): RunningJob => ({
  ...job(nativeId, submitAt, processors),
  startAt,
});
const started = (nativeId: string, submitAt: number, startAt: number, processors = 4): StartedRecord => {
  const { key, ...rest } = running(nativeId, submitAt, startAt, processors);
  return { ...rest, endAt: null, outcome: null };
};
const ended = (nativeId: string, submitAt: number, startAt: number, endAt: number, processors = 4): EndedRecord => ({
  ...started(nativeId, submitAt, startAt, processors),
  endAt,
  outcome: 'COMPLETED',
});
const snapshot = (observedAt: number, waiting: WaitingJob[], jobs: RunningJob[]): Snapshot => ({
  observedAt,
  processors: 10,
  freeProcessors: 10 - jobs.reduce((sum, { processors }) => sum + processors, 0),
  waiting,
  running: jobs,
});

/** What is told, in short: who was submitted to which state, who started, who ended after how long. */
function told(before: Snapshot | null, after: Snapshot, records: StartedRecord[], over: EndedRecord[] = []): string[] {
  const lines: string[] = [];
  const ids = (jobs: readonly WaitingJob[]) => jobs.map(({ nativeId }) => nativeId).join('');
  replayBetween(
    before,
    after,
    { started: records, ended: over },
    {
      submitted: ({ nativeId }, state) =>
        lines.push(
          `+${nativeId} ${state ? `${state.observedAt} waiting:${ids(state.waiting)} running:${ids(state.running)} free:${state.freeProcessors}` : 'unwatched'}`,
        ),
      started: ({ nativeId }) => lines.push(`>${nativeId}`),
      ended: ({ nativeId }, runSeconds) => lines.push(`-${nativeId} ${runSeconds}`),
    },
  );
  return lines;
}

describe('what happened between two snapshots', () => {
  test('a job finds those that came before it, started or not', () => {
    const before = snapshot(1000, [job('w', 900)], [running('r', 500, 600)]);
    const after = snapshot(1300, [job('w', 900), job('b', 1200)], [running('r', 500, 600), running('a', 1100, 1150)]);
    expect(told(before, after, [started('a', 1100, 1150)])).toEqual([
      '+a 1100 waiting:w running:r free:6',
      '>a',
      '+b 1200 waiting:w running:ra free:2',
    ]);
  });

  test('at one moment a submission comes before a start', () => {
    const after = snapshot(1300, [], [running('a', 1100, 1100), running('b', 1100, 1100)]);
    expect(told(snapshot(1000, [], []), after, [started('a', 1100, 1100), started('b', 1100, 1100)])).toEqual([
      '+a 1100 waiting: running: free:10',
      '+b 1100 waiting:a running: free:10',
      '>a',
      '>b',
    ]);
  });

  test('a job that is gone ended halfway, or before another needed its processors', () => {
    const before = snapshot(1000, [job('w', 900, 8)], [running('r', 500, 600)]);
    expect(told(before, snapshot(1300, [job('w', 900, 8)], []), [])).toEqual(['-r 550']);
    const after = snapshot(1300, [job('b', 1200)], [running('w', 900, 1010, 8)]);
    expect(told(before, after, [started('w', 900, 1010, 8)])).toEqual([
      '-r 410',
      '>w',
      '+b 1200 waiting: running:w free:2',
    ]);
  });

  test('a job finds those that still ran, until it is told or seen that they ended', () => {
    const before = snapshot(1000, [], [running('r', 500, 600)]);
    const after = snapshot(1300, [job('a', 1100), job('b', 1200), job('c', 1290)], []);
    const found = ['+a 1100 waiting: running:r free:6', '+b 1200 waiting:a running:r free:6'];
    expect(told(before, after, [])).toEqual([...found, '+c 1290 waiting:ab running:r free:6', '-r 550']);
    expect(told(before, after, [], [ended('r', 500, 600, 1250)])).toEqual([
      ...found,
      '-r 650',
      '+c 1290 waiting:ab running: free:10',
    ]);
  });

  test('for a start those go that were told to have ended by then, or whose end nobody told', () => {
    const before = snapshot(1000, [job('w', 900, 2)], [running('r', 500, 600), running('s', 500, 601, 6)]);
    const after = snapshot(1300, [], [running('w', 900, 1200, 2)]);
    const start = [started('w', 900, 1200, 2)];
    expect(told(before, after, start, [ended('r', 500, 600, 1250)])).toEqual(['-s 549', '>w', '-r 650']);
    expect(told(before, after, start, [ended('r', 500, 600, 1200)])).toEqual(['-r 600', '>w', '-s 549']);
  });

  test('a job can come, run and go unseen', () => {
    expect(told(snapshot(1000, [], []), snapshot(1300, [], []), [started('a', 1100, 1200)])).toEqual([
      '+a 1100 waiting: running: free:10',
      '>a',
      '-a 50',
    ]);
  });

  test('one that was cancelled while it waited is told nothing of', () => {
    expect(told(snapshot(1000, [job('w', 900)], []), snapshot(1300, [], []), [])).toEqual([]);
  });

  test('without a snapshot before only submissions and starts are known, in their order', () => {
    const records = [started('a', 100, 400), started('b', 200, 300)];
    expect(told(null, snapshot(1300, [job('w', 900)], []), records)).toEqual([
      '+a unwatched',
      '+b unwatched',
      '>b',
      '>a',
    ]);
  });

  test('the snapshots stay as they are', () => {
    const before = snapshot(1000, [job('w', 900)], [running('r', 500, 600)]);
    const copy = structuredClone(before);
    told(before, snapshot(1300, [], [running('w', 900, 1100)]), [started('w', 900, 1100)]);
    expect(before).toEqual(copy);
  });
});

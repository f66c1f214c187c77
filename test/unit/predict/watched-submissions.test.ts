import { describe, expect, test } from 'vitest';
import type { StartedRecord } from '../../../src/domain/job.ts';
import type { RunningJob, Snapshot, WaitingJob } from '../../../src/domain/snapshot.ts';
import { WatchedSubmissions } from '../../../src/predict/wait/watched-submissions.ts';

function waiting(nativeId: string, submitAt: number): WaitingJob {
  return { nativeId, key: null, user: 'ann', queue: null, processors: 2, requestedWalltimeSeconds: 600, submitAt };
}

function running(nativeId: string, submitAt: number, startAt: number): RunningJob {
  return { ...waiting(nativeId, submitAt), startAt };
}

function started(nativeId: string, submitAt: number, startAt: number): StartedRecord {
  const { key: _, ...job } = waiting(nativeId, submitAt);
  return { ...job, startAt, endAt: null, outcome: null };
}

function snapshot(observedAt: number, queue: WaitingJob[], jobs: RunningJob[] = []): Snapshot {
  return { observedAt, processors: 8, freeProcessors: 8 - 2 * jobs.length, waiting: queue, running: jobs };
}

/** Notes the jobs that wait and run as a job comes, and lists what is taught. */
function watch() {
  const taught: [string, string | null][] = [];
  const submissions = new WatchedSubmissions<string | null>({
    noteOf: (_, state) => {
      const names = (jobs: readonly WaitingJob[]) => jobs.map(({ nativeId }) => nativeId).join('');
      return state && `${names(state.waiting)}|${names(state.running)}`;
    },
    learned: ({ nativeId }, note) => void taught.push([nativeId, note]),
  });
  return { submissions, taught };
}

describe('watched submissions', () => {
  test('a site that was never observed teaches at once, without states', () => {
    const { submissions, taught } = watch();
    submissions.learn(started('a', 10, 20));
    expect(taught).toEqual([['a', null]]);
  });

  test('a burst between two snapshots: each job is taught with those before it, the one that started at once too', () => {
    const { submissions, taught } = watch();
    submissions.observe(snapshot(0, [], [running('r', -50, -40)]));
    submissions.learn(started('a', 10, 12));
    expect(taught).toEqual([]);
    submissions.observe(
      snapshot(300, [waiting('b', 20), waiting('c', 21)], [running('r', -50, -40), running('a', 10, 12)]),
    );
    expect(taught).toEqual([['a', '|r']]);
    submissions.learn(started('b', 20, 400));
    submissions.learn(started('c', 21, 410));
    submissions.observe(snapshot(600, [], [running('b', 20, 400), running('c', 21, 410)]));
    expect(taught.slice(1)).toEqual([
      ['b', '|ra'],
      ['c', 'b|ra'],
    ]);
  });

  test('after a gap in the snapshots waits are taught all the same, those noted before it with their states', () => {
    const { submissions, taught } = watch();
    submissions.observe(snapshot(0, []));
    submissions.observe(snapshot(300, [waiting('a', 100)]));
    submissions.learn(started('a', 100, 5000));
    submissions.learn(started('b', 4000, 6000));
    submissions.observe(snapshot(9000, []));
    expect(taught).toEqual([
      ['a', '|'],
      ['b', null],
    ]);
  });

  test('waits are not held back for ever when snapshots do not come any more', () => {
    const { submissions, taught } = watch();
    submissions.observe(snapshot(0, []));
    for (let i = 0; i < 2500; i++) submissions.learn(started(`${i}`, 10 + i, 20 + i));
    expect(taught.length).toBeGreaterThan(2000);
  });
});

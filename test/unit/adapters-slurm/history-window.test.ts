import { describe, expect, test } from 'vitest';
import { CommandFailure } from '../../../adapters/shared/command.ts';
import { HistoryWindow, type Window } from '../../../adapters/slurm/history-window.ts';
import { Unavailable } from '../../../src/domain/failures.ts';

const DAY = 86_400;
const LAG = 30;
const NOW = 400 * DAY;
const noRecords = async () => [];

/** Reads windows until the present; gives those that were read. */
async function readAll(history: HistoryWindow, since: number, now: number): Promise<Window[]> {
  const windows: Window[] = [];
  const note = async (window: Window) => {
    windows.push(window);
    return [];
  };
  for (let from = since; from < now; ) from = (await history.read(from, now, note)).nextSince;
  return windows;
}

describe('the windows of a history', () => {
  test('reach back so far and no further, overlap and leave no gap', async () => {
    const windows = await readAll(new HistoryWindow(LAG, 365 * DAY), 0, NOW);
    expect(windows[0]?.since).toBeLessThanOrEqual(NOW - 365 * DAY);
    expect(windows.at(-1)?.until).toBe(NOW);
    windows.slice(1).forEach((window, index) => {
      expect(window.since).toBeLessThanOrEqual((windows[index]?.until ?? 0) - 3600);
    });
    expect(windows.length).toBeLessThan(10);
  });

  test('shrink when one holds more than the site can say at once', async () => {
    const tooMuch = new Unavailable('too long', undefined, { cause: new CommandFailure('OUTPUT_LIMIT', 'too long') });
    const spans: number[] = [];
    const read = async ({ since, until }: Window) => {
      spans.push(until - since);
      if (until - since > 3 * DAY) throw tooMuch;
      return [];
    };
    const { nextSince } = await new HistoryWindow(LAG, 365 * DAY).read(NOW - 100 * DAY, NOW, read);
    expect(nextSince).toBeGreaterThan(NOW - 100 * DAY);
    expect(spans.at(-1)).toBeLessThanOrEqual(3 * DAY);
  });

  test('leave the steps of jobs out where even the shortest holds too much with them, and ask for them again', async () => {
    const tooMuch = new Unavailable('too long', undefined, { cause: new CommandFailure('OUTPUT_LIMIT', 'too long') });
    const history = new HistoryWindow(LAG, 365 * DAY);
    const told: Window[] = [];
    const read = async (window: Window) => {
      if (window.withSteps && told.length === 0) throw tooMuch;
      told.push(window);
      return [];
    };
    const { nextSince } = await history.read(NOW - 100 * DAY, NOW, read);
    await history.read(nextSince, NOW, read);
    expect(told.map(({ withSteps }) => withSteps)).toEqual([false, true]);
    const never = () => Promise.reject(tooMuch);
    await expect(history.read(nextSince, NOW, never)).rejects.toThrow('too long');
  });

  test('go back to where accounting was lost, until what was kept for it has had time to arrive', async () => {
    const history = new HistoryWindow(LAG, 365 * DAY);
    const away = () => Promise.reject(new Unavailable('Problem talking to the database'));
    await expect(history.read(NOW, NOW + 300, away)).rejects.toThrow('database');
    const back = await history.read(NOW, NOW + 9000, noRecords);
    expect(back.nextSince).toBe(NOW);
    const later = await history.read(NOW, NOW + 9000 + LAG, noRecords);
    expect(later.nextSince).toBe(NOW + 9000 + LAG);
  });
});

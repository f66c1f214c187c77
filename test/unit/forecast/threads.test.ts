import { expect, test, vi } from 'vitest';
import type { SiteCost } from '../../../src/domain/ownership.ts';
import type { RunningThread } from '../../../src/forecast/start-thread.ts';
import type { PostedQuestion } from '../../../src/forecast/thread-options.ts';
import { Threads } from '../../../src/forecast/threads.ts';

test('sites that nobody asked about move to other threads without being taken in there', async () => {
  const takenIn: string[] = [];
  const homes = new Map<string, number>();
  let tellCosts: (costs: readonly SiteCost[]) => void = () => undefined;
  const start = (index: number, onCosts: typeof tellCosts): RunningThread => {
    if (index === 0) tellCosts = onCosts;
    return {
      ask: async () => null,
      cancel: () => undefined,
      state: async () => [],
      stateOf: async (siteId) => {
        takenIn.push(`${siteId} by ${index}`);
        return { siteId, learnedWaits: 0, isLearning: false };
      },
      lookAfter: async (told) => {
        for (const [siteId, home] of told) homes.set(siteId, home);
      },
      stop: async () => undefined,
      end: async () => undefined,
    };
  };
  const threads = new Threads(start, 2, (error) => {
    throw error;
  });
  await threads.ask({ id: 1, name: 'forecast', args: ['site 7'] } as unknown as PostedQuestion);
  tellCosts(Array.from({ length: 40 }, (_, i) => ({ siteId: `site ${i}`, cost: 10 })));
  await vi.waitFor(() => expect([...homes.values()].filter((home) => home === 1)).toHaveLength(20));
  await vi.waitFor(() => expect(takenIn).toEqual(homes.get('site 7') === 1 ? ['site 7 by 1'] : []));
  await threads.end();
});

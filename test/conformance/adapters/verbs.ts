import { describe, expect, test } from 'vitest';
import { freshKey, type Visitor } from './visitor.ts';

/** Every verb, on a site that has nothing to tell. */
export function describeVerbs(visitor: () => Visitor): void {
  describe('on an idle site', () => {
    test('facts tells processors and queues with their limits', async () => {
      const { adapter, processors } = visitor().site;
      const facts = await adapter.facts();
      expect(facts.processors).toBe(processors);
      expect(facts.queues.length).toBeGreaterThan(0);
      expect(facts.queues.filter(({ isDefault }) => isDefault).length).toBeLessThanOrEqual(1);
    });

    test('snapshot tells processors and the moment it is of', async () => {
      const { adapter, processors, now } = visitor().site;
      const snapshot = await adapter.snapshot();
      expect(snapshot.processors).toBe(processors);
      expect(snapshot.freeProcessors).toBeLessThanOrEqual(processors);
      expect(Math.abs(snapshot.observedAt - now())).toBeLessThan(60);
    });

    test('find knows nothing of a key that was never handed in', async () => {
      const { adapter, now } = visitor().site;
      expect(await adapter.find(freshKey(), now() - 60)).toBeNull();
    });

    test('inspect leaves out a job that nobody knows', async () => {
      const { adapter, now } = visitor().site;
      expect(await adapter.inspect([])).toEqual(new Map());
      expect(await adapter.inspect([{ nativeId: '99999999', submittedAt: now() }])).toEqual(new Map());
    });

    test('cancel of a job that nobody knows is no error', async () => {
      const { adapter, now } = visitor().site;
      await adapter.cancel({ nativeId: '99999999', submittedAt: now() });
    });

    test('history goes on from where it is', async () => {
      const { adapter, now } = visitor().site;
      const since = now() - 60;
      expect((await adapter.history(since)).nextSince).toBeGreaterThanOrEqual(since);
    });
  });
}

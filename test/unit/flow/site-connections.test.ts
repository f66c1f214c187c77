import { pino } from 'pino';
import { expect, test } from 'vitest';
import type { SiteAdapter } from '../../../src/domain/site-adapter.ts';
import type { Snapshot } from '../../../src/domain/snapshot.ts';
import { CheckedAdapter } from '../../../src/flow/checked-adapter.ts';
import { SiteConnections } from '../../../src/flow/site-connections.ts';
import type { SiteRow } from '../../../src/store/sites.ts';
import { SteppedClock } from '../../stepped-clock.ts';

const LINGER = 30_000;
const HOUR = 3_600_000;
const LIMITS = { maxSkewSeconds: 300, callMilliseconds: 60_000 };
const EMPTY: Snapshot = { observedAt: 0, processors: 1, freeProcessors: 1, waiting: [], running: [] };

/** A process with adapters that tell when they were closed, and whose snapshots come when they are let go. */
function world() {
  let now = 0;
  const closed: string[] = [];
  const pending: (() => void)[] = [];
  const connections = new SiteConnections({
    lingerMilliseconds: LINGER,
    now: () => now,
    onError: expect.unreachable,
    connect: ({ name, configuration }) => {
      const raw = {
        snapshot: () => new Promise<Snapshot>((answer) => pending.push(() => answer(EMPTY))),
        close: async () => void closed.push(`${name} ${JSON.stringify(configuration)}`),
      } as Partial<SiteAdapter> as SiteAdapter;
      return new CheckedAdapter(raw, new SteppedClock(0), LIMITS, pino({ level: 'silent' }), name);
    },
  });
  return {
    connections,
    closed,
    answer: () => {
      for (const letGo of pending.splice(0)) letGo();
    },
    pass: (milliseconds: number) => {
      now += milliseconds;
    },
  };
}

const site = (name: string, configuration: object) => ({ id: name, name, adapter: 'x', configuration }) as SiteRow;
const [OLD, NEW] = [site('oak', { port: 1 }), site('oak', { port: 2 })];

test('a site has one adapter as long as it is configured alike', () => {
  const { connections, closed, pass } = world();
  const first = connections.adapterOf(OLD);
  for (let looks = 0; looks < 100; looks++) {
    pass(HOUR / 2);
    expect(connections.adapterOf(OLD)).toBe(first);
  }
  expect(closed).toEqual([]);
});

test('an adapter whose site was configured otherwise is closed after its calls, and no sooner than steps may use it', async () => {
  const { connections, closed, answer, pass } = world();
  const call = connections.adapterOf(OLD).snapshot();
  pass(1000);
  const fresh = connections.adapterOf(NEW);
  pass(LINGER);
  connections.adapterOf(NEW);
  expect(closed).toEqual([]);
  answer();
  await call;
  expect(connections.adapterOf(NEW)).toBe(fresh);
  expect(closed).toEqual(['oak {"port":1}']);
});

test('a step that still has the older configuration neither gets a closed adapter nor drives out the newer one', () => {
  const { connections, closed, pass } = world();
  connections.adapterOf(OLD);
  const fresh = connections.adapterOf(NEW);
  pass(LINGER - 1);
  const late = connections.adapterOf(OLD);
  pass(1);
  expect(connections.adapterOf(NEW)).toBe(fresh);
  expect(connections.adapterOf(OLD)).toBe(late);
  expect(closed).toEqual([]);
  pass(LINGER);
  connections.adapterOf(NEW);
  expect(closed).toEqual(['oak {"port":1}']);
});

test('the adapter of a site that is gone is closed within the hour, a neighbour keeps its own', () => {
  const { connections, closed, pass } = world();
  connections.adapterOf(OLD);
  const neighbour = site('elm', {});
  for (let minutes = 0; minutes <= 61; minutes++) {
    connections.adapterOf(neighbour);
    pass(60_000);
  }
  expect(closed).toEqual(['oak {"port":1}']);
});

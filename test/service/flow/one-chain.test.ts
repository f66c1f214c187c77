import { afterAll, beforeAll, expect, test } from 'vitest';
import { cancelCoAllocation } from '../../../src/commands/cancel-co-allocation.ts';
import { cancelJob } from '../../../src/commands/cancel-job.ts';
import { coAllocate } from '../../../src/commands/co-allocate.ts';
import { drainSite } from '../../../src/commands/drain-site.ts';
import { importHistory } from '../../../src/commands/import-history.ts';
import { registerSite } from '../../../src/commands/register-site.ts';
import { reserve } from '../../../src/commands/reserve.ts';
import { submitJob } from '../../../src/commands/submit-job.ts';
import { CallerError, Unavailable } from '../../../src/domain/failures.ts';
import type { SiteAdapter } from '../../../src/domain/site-adapter.ts';
import { advance } from '../../../src/flow/advance.ts';
import type { FlowContext } from '../../../src/flow/context.ts';
import { findOverdueWakeUps, takeWakeUps, type WakeUp } from '../../../src/store/outbox.ts';
import { createSteppedWorld, type SteppedWorld } from './stepped-world.ts';

const HOUR = 3600;
const OVERDUE_SECONDS = 2;
/** The commands of the hour come every so often; so many of them is the worker killed in the middle of a look. */
const COMMAND_SECONDS = 30;
const SITES = ['north', 'south'] as const;

let world: SteppedWorld;
beforeAll(async () => {
  world = await createSteppedWorld({
    seed: 11,
    settings: { observeIntervalSeconds: 120, leaseMilliseconds: 60_000 },
    sites: SITES.map((name, n) => ({
      name,
      processors: 64,
      policy: 'easy' as const,
      workload: { generated: { seed: 70 + n, load: 0.3 } },
      warmDays: 5,
    })),
  });
});
afterAll(() => world.close());

const work = {
  script: '#!/bin/sh\nsleep 300\n',
  arguments: [],
  processors: 2,
  walltimeSeconds: 600,
  queue: null,
  siteIds: [],
  idempotencyKey: null,
};

/**
 * The queue as it may be: every wake-up comes when it is due, some come twice, some long before, and all may be lost.
 */
class UnreliableQueue {
  private held: WakeUp[] = [];
  /** Wake-ups of sites that were put in. */
  siteWakeUps = 0;

  constructor(private readonly here: SteppedWorld) {}

  async relay(): Promise<void> {
    const { database } = this.here;
    for (let taken: WakeUp[] = []; ; ) {
      taken = await database.transaction((tx) => takeWakeUps(tx, 200));
      this.held.push(...taken);
      this.siteWakeUps += taken.filter(({ kind }) => kind === 'SITE').length;
      if (taken.length === 0) return;
    }
  }

  async deliver(worker: FlowContext): Promise<void> {
    const { random, clock } = this.here;
    const now = clock.now();
    const due = this.held.filter(({ wakeAt }) => wakeAt <= now);
    const early = this.held.filter(({ wakeAt }) => wakeAt > now && random.uniform() < 0.05);
    this.held = this.held.filter(({ wakeAt }) => wakeAt > now);
    const twice = due.filter(() => random.uniform() < 0.3);
    for (const wakeUp of [...due, ...early, ...twice]) {
      const result = await advance(worker, wakeUp).catch(() => 'DONE' as const);
      if (result !== 'DONE') this.held.push(wakeUp);
    }
  }

  async sweep(): Promise<void> {
    const overdue = await findOverdueWakeUps(this.here.database.db, this.here.clock.now() - OVERDUE_SECONDS, 1000);
    this.held.push(...overdue);
  }

  lose(): void {
    this.held = [];
  }

  nextAt(): number {
    return this.held.reduce((first, { wakeAt }) => Math.min(first, wakeAt), Number.POSITIVE_INFINITY);
  }
}

/** Everything a caller may ask for, one after the other. What is refused counts as asked. */
function commandsOf(here: SteppedWorld): ((n: number) => Promise<unknown>)[] {
  const { commands, principal, clock } = here;
  const siteId = (n: number) => here.siteIds.get(SITES[n % SITES.length] ?? '') ?? '';
  const jobs: string[] = [];
  const groups: string[] = [];
  const startAt = () => Math.round(clock.now() + 900);
  const terms = { windowOpensAt: null, mode: 'HOLD', probability: 0.3, ifMissed: 'CANCEL' } as const;
  const leg = (legId: string) => ({ ...work, legId, name: legId });
  const drain = (n: number, drains: boolean) =>
    drainSite(commands, principal, { siteId: siteId(n), drain: drains, idempotencyKey: null });
  return [
    async (n) => {
      jobs.push((await submitJob(commands, principal, { ...work, name: `job-${n}`, deadlineAt: null })).executionId);
    },
    (n) => drain(n, true),
    (n) => drain(n, false),
    (n) => {
      const log = `; UnixStartTime: 1700000000\n${n} ${n} 5 60 4 -1 -1 4 100 -1 1 1 1 -1 1 -1 -1 -1\n`;
      return importHistory(commands, principal, {
        siteId: siteId(n),
        content: log,
        format: null,
        originAt: null,
        idempotencyKey: null,
      });
    },
    (n) =>
      reserve(commands, principal, {
        ...work,
        ...terms,
        name: `promise-${n}`,
        startAt: startAt(),
        maxPaddingProcessorSeconds: null,
      }),
    async () => {
      const id = jobs.pop();
      if (id) await cancelJob(commands, principal, { id, idempotencyKey: null });
    },
    async () => {
      const rule = { rule: 'ALL', atLeast: null, members: [{ legId: 'a' }, { legId: 'b' }] } as const;
      const asked = { legs: [leg('a'), leg('b')], rule, rulePath: 'input.rule', ifLegMissed: 'GO_ON' } as const;
      const group = { ...asked, startAt: startAt(), probability: 0.2, idempotencyKey: null };
      groups.push((await coAllocate(commands, principal, group as never)).coAllocationId);
    },
    async () => {
      const id = groups.pop();
      if (id) await cancelCoAllocation(commands, principal, { id, idempotencyKey: null });
    },
    (n) =>
      registerSite(commands, principal, {
        name: `late-${n}`,
        adapter: 'simulator',
        configuration: { url: 'http://127.0.0.1:9', site: `late-${n}`, accountingLagSeconds: 0 },
        idempotencyKey: null,
      }),
  ];
}

interface Looks {
  readonly bySite: Map<string, number>;
  /** Looks in the middle of which the worker was killed. */
  killed: number;
}

/** Counts every listing of a queue; now and then the worker dies in one. */
function watched(here: SteppedWorld, looks: Looks, kills: () => boolean): FlowContext {
  const count = (name: string) => looks.bySite.set(name, (looks.bySite.get(name) ?? 0) + 1);
  const adapter = (plain: SiteAdapter, site: string): SiteAdapter => ({
    ...plain,
    async snapshot() {
      count(site);
      if (!kills()) return plain.snapshot();
      looks.killed++;
      throw new Error('the worker is killed');
    },
  });
  const plain = here.worker({ adapter });
  const away = { snapshot: async () => Promise.reject(new Unavailable('no such site')) } as unknown as SiteAdapter;
  return { ...plain, adapterOf: (site) => (here.siteIds.has(site.name) ? plain.adapterOf(site) : away) };
}

async function live(
  here: SteppedWorld,
  queue: UnreliableQueue,
  looks: Looks,
  options: { untilAt: number; disturbed: boolean },
): Promise<void> {
  const { clock, random } = here;
  const kills = () => options.disturbed && random.uniform() < 0.04;
  const worker = watched(here, looks, kills);
  const asks = commandsOf(here);
  const beganAt = clock.now();
  const most = (seconds: number) => seconds / here.settings.observeIntervalSeconds + 2;
  let killed = 0;
  for (let n = 0, askAt = clock.now(); clock.now() < options.untilAt; ) {
    if (options.disturbed && clock.now() >= askAt) {
      await asks[n % asks.length]?.(n).catch((error: unknown) => {
        if (!(error instanceof CallerError)) throw error;
      });
      if (n % 25 === 24) queue.lose();
      n++;
      askAt = clock.now() + COMMAND_SECONDS;
    }
    await queue.relay();
    await queue.deliver(worker);
    if (looks.killed > killed) await here.expireLeases();
    killed = looks.killed;
    await queue.sweep();
    await queue.relay();
    for (const [name, count] of looks.bySite) {
      expect(count, `looks at ${name}`).toBeLessThanOrEqual(most(clock.now() - beganAt) + looks.killed);
    }
    clock.advanceTo(Math.max(clock.now() + 5, Math.min(queue.nextAt(), clock.now() + 20)));
  }
}

test('an hour of every kind of command costs one look per site and interval, and leaves one chain per site', {
  timeout: 240_000,
}, async () => {
  const { clock, settings } = world;
  const queue = new UnreliableQueue(world);
  const looks: Looks = { bySite: new Map(), killed: 0 };
  const interval = settings.observeIntervalSeconds;
  await live(world, queue, looks, { untilAt: clock.now() + HOUR, disturbed: true });
  const states = await world.database.db.execution.count();
  expect(states).toBeGreaterThan(20);
  expect(looks.killed).toBeGreaterThan(0);
  for (const name of SITES) {
    expect(looks.bySite.get(name)).toBeGreaterThan(HOUR / interval / 2);
  }

  const calm: Looks = { bySite: new Map(), killed: 0 };
  const before = queue.siteWakeUps;
  await live(world, queue, calm, { untilAt: clock.now() + HOUR / 2, disturbed: false });
  const sites = await world.database.db.site.count();
  expect(queue.siteWakeUps - before).toBeLessThanOrEqual(sites * (HOUR / 2 / interval + 1));
});

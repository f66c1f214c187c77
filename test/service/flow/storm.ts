import { type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import { adapters } from '../../../adapters/index.ts';
import { reserve } from '../../../src/commands/reserve.ts';
import { submitJob } from '../../../src/commands/submit-job.ts';
import { CallerError } from '../../../src/domain/failures.ts';
import { submissionKey } from '../../../src/domain/submission.ts';
import { workBeganAt } from '../../../src/plan/reservation/life.ts';
import { isDatabaseAway } from '../../../src/store/database-away.ts';
import type { NewDependency } from '../../../src/store/dependencies.ts';
import { withMoments } from '../../../src/store/moments.ts';
import { listSites } from '../../../src/store/sites.ts';
import { countJobsInForce } from '../jobs-in-force.ts';
import { createWorld, type World, type WorldOptions } from './world.ts';

/**
 * Sites that swallow a fifth of their replies and whose accounting lags two minutes, and their deployment in a hurry.
 */
export function createStormyWorld(options: Partial<WorldOptions> = {}): Promise<World> {
  const busy = (seed: number) => ({ workload: { generated: { seed, load: 0.3 } }, warmDays: 10, processors: 512 });
  return createWorld({
    scale: 300,
    // On a loaded machine workers may hardly come up between two faults.
    settings: { staleAfterSeconds: 48 * 3600 },
    faults: { seed: 11, dropReplies: 0.2, accountingLagSeconds: 120 },
    sites: [
      { name: 'east', policy: 'easy', ...busy(5) },
      { name: 'west', policy: 'fcfs', ...busy(6) },
    ],
    ...options,
  });
}

/** Waits until both sites have shown their queue and their history. */
export async function untilObserved(world: World): Promise<void> {
  await world.until('both sites were observed', async () => {
    const sites = await Promise.all(['east', 'west'].map((name) => world.site(name)));
    return sites.every(({ observedAt, historySince }) => observedAt !== null && historySince !== null);
  });
}

/**
 * Workers as processes, each of which can be killed, or made to stand still. Whichever ends, by us or by itself, has a
 * successor at once, as under every supervisor.
 */
export class Crew {
  private readonly workers: ChildProcess[];
  private isDismissed = false;
  /** How many have ended, killed ones included. */
  private ended = 0;
  kills = 0;

  constructor(
    private readonly world: World,
    size: number,
  ) {
    this.workers = Array.from({ length: size }, (_, index) => this.hire(index));
  }

  async kill(turn: number): Promise<void> {
    const victim = this.workers[turn % this.workers.length];
    if (!victim || victim.exitCode !== null) return;
    const gone = once(victim, 'exit');
    if (victim.kill('SIGKILL')) this.kills++;
    await gone;
  }

  /** SIGSTOP for longer than a lease, then SIGCONT: it goes on as if nothing had happened. */
  async pause(turn: number): Promise<void> {
    const sleeper = this.workers[turn % this.workers.length];
    sleeper?.kill('SIGSTOP');
    await sleep(1.5 * this.world.settings.leaseMilliseconds);
    sleeper?.kill('SIGCONT');
  }

  /** How many have ended without being killed. */
  get died(): number {
    return this.ended - this.kills;
  }

  /** Nobody is replaced any more; the world's end ends the workers. */
  dismiss(): void {
    this.isDismissed = true;
  }

  private hire(index: number): ChildProcess {
    const worker = this.world.spawnWorker();
    worker.once('exit', () => {
      this.ended++;
      if (!this.isDismissed) this.workers[index] = this.hire(index);
    });
    return worker;
  }
}

export interface Wishes {
  readonly jobs: number;
  readonly reservations: number;
  readonly everyMilliseconds: number;
  /** Reservations are asked for that long before they start, */
  readonly leadSeconds: number;
  /** and up to so much longer. */
  readonly spreadSeconds: number;
  /** No script runs longer; the shortest runs a minute. */
  readonly longestSeconds: number;
}

export interface Asked {
  /** Refused wishes, by the code of the answer, in words. */
  readonly refusals: string;
  /** Calls that failed because a store was away; whether they were carried out the tables know. */
  readonly failed: number;
}

/**
 * Asks for jobs, of which two in three are to start right after the one before, and reservations, one after another,
 * until as many reservations stand as are wished for; thrice as many wishes at most.
 */
export async function askForWork(world: World, wishes: Wishes): Promise<Asked> {
  const work = { arguments: [], queue: null, siteIds: [], idempotencyKey: null, walltimeSeconds: 1800 };
  const refusals = new Map<string, number>();
  let failed = 0;
  const ask = async (call: () => Promise<unknown>): Promise<number> => {
    try {
      await call();
      return 1;
    } catch (error) {
      if (error instanceof CallerError && REFUSALS.includes(error.code)) {
        refusals.set(error.code, (refusals.get(error.code) ?? 0) + 1);
      } else if (isDatabaseAway(error)) failed++;
      else throw error;
      return 0;
    }
  };
  const { jobs, reservations, everyMilliseconds, leadSeconds, spreadSeconds, longestSeconds } = wishes;
  let standing = 0;
  let last: NewDependency | null = null;
  for (let n = 0; n < jobs || (standing < reservations && n < 3 * reservations); n++) {
    const share = (n % 120) / 120;
    const script = `#!/bin/sh\nsleep ${Math.round(60 + share * (longestSeconds - 60))}\n`;
    if (n < jobs) {
      const job = { ...work, name: `job-${n}`, script, processors: 1 + (n % 8), deadlineAt: null };
      const chained = n % 3 === 0 || last === null ? job : { ...job, startAfter: last };
      await ask(async () => {
        const { executionId } = await submitJob(world.commands, world.principal, chained);
        last = { predecessorId: executionId, condition: 'ANY_END' };
      });
    }
    if (standing < reservations) {
      const startAt = Math.round(world.clock.now() + leadSeconds + share * spreadSeconds);
      const terms = { startAt, windowOpensAt: null, mode: 'HOLD', probability: 0.6, ifMissed: 'CANCEL' } as const;
      const rest = { name: `reservation-${n}`, script, processors: 2, maxPaddingProcessorSeconds: null };
      standing += await ask(() => reserve(world.commands, world.principal, { ...work, ...terms, ...rest }));
    }
    await sleep(everyMilliseconds);
  }
  const words = [...refusals].map(([code, count]) => `${count} ${code}`).join(', ');
  return { refusals: words || 'nothing', failed };
}

/** Answers to a wish that nobody can grant now. */
const REFUSALS = ['PROMISE_REFUSED', 'STALE_SITE', 'SUSPENDED_SITE', 'SITE_CHANGED'];

/**
 * Lets one fault follow the other, each a pause after the last, until the work is done; `most` of them at most.
 * @throws whatever the work or a fault throws
 */
export async function amid<T>(
  fault: (turn: number) => Promise<void>,
  { everyMilliseconds, most }: { everyMilliseconds: number; most: number },
  work: () => Promise<T>,
): Promise<T> {
  const over = new AbortController();
  const raging = (async () => {
    for (let turn = 0; turn < most && !over.signal.aborted; turn++) {
      await sleep(everyMilliseconds);
      await fault(turn);
    }
  })();
  const working = work().finally(() => over.abort());
  const [done] = await Promise.all([working, raging]);
  return done;
}

/** Waits until everything has been carried out, though the database may be away for a while. */
export function untilSettled(world: World, wallSeconds: number): Promise<void> {
  const isSettled = async () => {
    try {
      return await everythingSettled(world);
    } catch (error) {
      if (isDatabaseAway(error)) return false;
      throw error;
    }
  };
  return world.until('everything is settled', isSettled, wallSeconds);
}

/** What became of everything that was asked for, by the tables and the sites' own journals and accounting. */
export interface Outcome {
  readonly executions: number;
  readonly reservations: number;
  readonly kept: number;
  readonly missed: number;
}

/** Judges a world in which everything is settled. Prints and returns what it found. */
export async function expectNothingLost(world: World, title: string): Promise<Outcome> {
  const executions = await world.stores.database.db.execution.findMany({ include: { reservation: true } });
  const journals = ['east', 'west'].map((name) => world.journal(name));
  const early = await countEarly(world);
  const native = journals.flat().filter(({ kind }) => kind === 'submit').length;
  const inForce = countJobsInForce(journals);
  const duplicated = [...inForce.values()].filter((count) => count > 1).length;
  const isLost = ({ outcome, reason }: (typeof executions)[number]) =>
    outcome === null || outcome === 'LOST' || (outcome !== 'COMPLETED' && reason === null);
  const lost = executions.filter(isLost).length;
  await world.until('nothing of ours is left at a site', async () => (await countLeftovers(world)) === 0);
  const count = (state: string) => executions.filter(({ reservation }) => reservation?.state === state).length;
  const [kept, missed] = [count('KEPT'), count('MISSED')];
  const reservations = executions.filter(({ reservation }) => reservation !== null).length;
  const misjudged = await countMisjudged(world);
  console.log(
    `${title}, ${executions.length} executions of which ${reservations} reservations (${kept} kept, ${missed} missed, ` +
      `${misjudged} judged otherwise than their site's accounting), ${native} native jobs, ${lost} lost, ` +
      `${duplicated} duplicated, ${early} begun early, 0 left holding processors`,
  );
  expect({ lost, duplicated, misjudged, early }).toEqual({ lost: 0, duplicated: 0, misjudged: 0, early: 0 });
  expect(executions.every(({ state }) => state === 'ENDED')).toBe(true);
  expect(reservations).toBe(kept + missed + count('CANCELLED'));
  const completed = executions.filter(({ outcome }) => outcome === 'COMPLETED');
  expect(completed.every(({ id }) => inForce.get(id.replaceAll('-', '')) === 1)).toBe(true);
  return { executions: executions.length, reservations, kept, missed };
}

/** Jobs whose work began before one that they come after had ended. */
async function countEarly(world: World): Promise<number> {
  const { db } = world.stores.database;
  const dependencies = await db.dependency.findMany({ include: { execution: true, predecessor: true } });
  return dependencies.filter(({ execution, predecessor: { endedAt } }) => {
    const beganAt = workBeganAt(withMoments(execution));
    return beganAt !== null && (endedAt === null || beganAt < endedAt.getTime() / 1000);
  }).length;
}

/** Promises called kept whose jobs had not started in time by their sites' accounting, or missed although they had. */
async function countMisjudged(world: World): Promise<number> {
  const { db } = world.stores.database;
  const decided = await db.reservation.findMany({
    where: { state: { in: ['KEPT', 'MISSED'] } },
    include: { execution: true },
  });
  let misjudged = 0;
  for (const site of await listSites(db)) {
    const adapter = adapters.connect(site.adapter, site.configuration);
    for (const { state, startAt, execution } of decided) {
      const { siteId, nativeId, nativeSubmittedAt } = execution;
      if (siteId !== site.id) continue;
      const submittedAt = (nativeSubmittedAt?.getTime() ?? 0) / 1000;
      const ref = { nativeId: nativeId ?? '', submittedAt, key: submissionKey(execution.id, execution.attempts) };
      const job = nativeId === null ? undefined : (await adapter.inspect([ref])).get(nativeId);
      const inTime = typeof job?.startAt === 'number' && job.startAt <= startAt.getTime() / 1000;
      if (inTime !== (state === 'KEPT')) misjudged++;
    }
    await adapter.close();
  }
  return misjudged;
}

async function everythingSettled(world: World): Promise<boolean> {
  return (await world.stores.database.db.execution.count({ where: { settledAt: null } })) === 0;
}

/** Native jobs of ours that still wait or run at a site. */
async function countLeftovers(world: World): Promise<number> {
  let count = 0;
  for (const site of await listSites(world.stores.database.db)) {
    const adapter = adapters.connect(site.adapter, site.configuration);
    const { waiting, running } = await adapter.snapshot();
    count += [...waiting, ...running].filter(({ key }) => key !== null).length;
    await adapter.close();
  }
  return count;
}

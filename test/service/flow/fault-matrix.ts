import { expect } from 'vitest';
import { coAllocate } from '../../../src/commands/co-allocate.ts';
import { reserve } from '../../../src/commands/reserve.ts';
import { submitJob } from '../../../src/commands/submit-job.ts';
import { flatRule } from '../../../src/domain/co-allocation.ts';
import type { FlowContext } from '../../../src/flow/context.ts';
import type { NewDependency } from '../../../src/store/dependencies.ts';
import {
  CRASH_POINTS,
  Crash,
  type CrashPoint,
  type Reach,
  type SiteFaults,
  submitWithCrashes,
  withCrashes,
  withSiteFaults,
} from './faults.ts';
import { createSteppedWorld, type SteppedWorld } from './stepped-world.ts';
import { CLEAN, judge, type Verdict } from './witness.ts';

const JOBS = 6;
const SUCCESSORS = 4;
const RESERVATIONS = 4;
const FINISHES = 3;
const MOST_STEPS = 4000;

/**
 * Workers die before and after each write and call of a submission, on sites that accept a fifth of all submissions and
 * then time out, and whose accounting lags two minutes. A run follows from its seed.
 * @param predictor that decides; that of the stepped world unless told
 */
export async function surviveCrashes(seeds: readonly number[], predictor?: string): Promise<void> {
  const runs: Run[] = [];
  for (const seed of seeds) {
    const run = await runWithCrashes(seed, predictor);
    expect(run.verdict, `seed ${seed}`).toMatchObject(CLEAN);
    for (const point of CRASH_POINTS) expect(run.crashes.get(point), `seed ${seed}: died ${point}`).toBeGreaterThan(0);
    runs.push(run);
  }
  const sum = (figure: (run: Run) => number) => runs.reduce((total, run) => total + figure(run), 0);
  const crashes = sum(({ crashes }) => [...crashes.values()].reduce((total, count) => total + count, 0));
  console.log(
    `fault matrix: ${runs.length} runs, ${crashes} crashes at ${CRASH_POINTS.length} points, ` +
      `${sum(({ siteFaults }) => siteFaults)} faults of sites, ${sum(({ executions }) => executions)} executions, ` +
      `${sum(({ verdict }) => verdict.nativeJobs)} native jobs, 0 lost, 0 duplicated, 0 left holding processors`,
  );
}

interface Run {
  readonly crashes: ReadonlyMap<CrashPoint, number>;
  readonly siteFaults: number;
  readonly executions: number;
  readonly verdict: Verdict;
}

async function runWithCrashes(seed: number, predictor?: string): Promise<Run> {
  const workload = (offset: number) => ({ generated: { seed: 10 * seed + offset, load: 0.2 } });
  const world = await createSteppedWorld({
    seed,
    accountingLagSeconds: 120,
    ...(predictor && { predictor }),
    sites: [
      { name: 'east', processors: 64, policy: 'easy', workload: workload(1), warmDays: 6 },
      { name: 'west', processors: 96, policy: 'fcfs', workload: workload(2), warmDays: 6 },
    ],
  });
  try {
    const siteFaults: SiteFaults = { timeouts: 0.2, outages: 0.05, count: 0 };
    const { reach, crashes } = dying(world);
    const hire = (): FlowContext =>
      world.worker({
        database: (database) => withCrashes(database, reach),
        adapter: (adapter) => submitWithCrashes(withSiteFaults(adapter, siteFaults, world.random), reach),
      });
    let worker = hire();
    const bury = async (error: unknown) => {
      if (!(error instanceof Crash)) throw error;
      worker = hire();
      await world.expireLeases();
    };
    const executions = await askForWork(world);
    for (let steps = 0; !(await isOver(world)); steps++) {
      if (steps > MOST_STEPS) throw new Error(`seed ${seed}: not over after ${steps} steps`);
      await world.step(() => worker, bury);
    }
    // A few more observations, should anything be left.
    for (let n = 0; n < 8; n++) await world.step(() => worker, bury);
    return { crashes, siteFaults: siteFaults.count, executions, verdict: await judge(world) };
  } finally {
    await world.close();
  }
}

/** Death comes to every point at one of its first visits, and now and then later. */
function dying({ random }: SteppedWorld): { reach: Reach; crashes: Map<CrashPoint, number> } {
  const crashes = new Map<CrashPoint, number>();
  const visits = new Map<CrashPoint, number>();
  const firstDeath = new Map(CRASH_POINTS.map((point) => [point, 1 + Math.floor(4 * random.uniform())]));
  const reach = async (point: CrashPoint) => {
    const visit = (visits.get(point) ?? 0) + 1;
    visits.set(point, visit);
    const chance = point.endsWith('a commit') ? 0.01 : 0.1;
    if (visit !== firstDeath.get(point) && random.uniform() >= chance) return;
    crashes.set(point, (crashes.get(point) ?? 0) + 1);
    throw new Crash(point);
  };
  return { reach, crashes };
}

async function askForWork(world: SteppedWorld): Promise<number> {
  const { commands, principal, clock } = world;
  const work = { arguments: [], queue: null, siteIds: [], idempotencyKey: null, walltimeSeconds: 1800 };
  const ids: NewDependency[] = [];
  for (let n = 0; n < JOBS; n++) {
    const script = `#!/bin/sh\nsleep ${200 + 50 * n}\n`;
    const job = { ...work, name: `job-${n}`, script, processors: 1 + n, deadlineAt: null };
    const { executionId } = await submitJob(commands, principal, job);
    ids.push({ predecessorId: executionId, condition: 'ANY_END' });
  }
  const short = '#!/bin/sh\nsleep 100\n';
  for (let n = 0, after = ids; n < SUCCESSORS; n++) {
    const [last] = after.slice(-1);
    const order = n === 0 || !last ? { after } : { startAfter: last };
    const job = { ...work, name: `successor-${n}`, script: short, processors: 1, deadlineAt: null, ...order };
    const { executionId } = await submitJob(commands, principal, job);
    after = [{ predecessorId: executionId, condition: n % 2 === 0 ? 'SUCCESS' : 'ANY_END' }];
  }
  for (let n = 0; n < FINISHES; n++) {
    const ifMissed = n % 2 === 0 ? 'CANCEL' : 'RUN_LATE';
    const finishBy = { at: Math.round(clock.now() + 4 * 3600), probability: 0.2, ifMissed } as const;
    const size = { processors: 2, walltimeSeconds: 6 * 3600, deadlineAt: null };
    const script = `#!/bin/sh\nsleep ${n === 0 ? 5 * 3600 : 600}\n`;
    await submitJob(commands, principal, { ...work, ...size, name: `finish-${n}`, script, finishBy });
  }
  const startAt = Math.round(clock.now() + 3 * 3600);
  const script = '#!/bin/sh\nsleep 600\n';
  for (let n = 0; n < RESERVATIONS; n++) {
    const terms = { startAt: startAt + 600 * n, windowOpensAt: null, mode: 'HOLD', probability: 0.5 } as const;
    const rest = { ifMissed: 'CANCEL', maxPaddingProcessorSeconds: null, script, processors: 4 } as const;
    await reserve(commands, principal, { ...work, ...terms, ...rest, name: `reservation-${n}` });
  }
  const legs = [...world.siteIds].map(([name, id]) => {
    return { ...work, name: `leg-${name}`, legId: name, script, processors: 4, siteIds: [id] };
  });
  const rule = flatRule('ANY', null, [...world.siteIds.keys()]);
  const terms = { startAt, probability: 0.8, rule, rulePath: 'input', ifLegMissed: 'CANCEL_ALL' } as const;
  await coAllocate(commands, principal, { ...terms, legs, idempotencyKey: null });
  return world.database.db.execution.count();
}

async function isOver({ database }: SteppedWorld): Promise<boolean> {
  const open = await database.db.execution.count({ where: { settledAt: null } });
  return open === 0 && (await database.db.coAllocation.count({ where: { state: 'PENDING' } })) === 0;
}

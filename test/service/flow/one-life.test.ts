import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { cancelReservation } from '../../../src/commands/cancel-reservation.ts';
import type { EpochSeconds } from '../../../src/domain/clock.ts';
import type { Trajectory } from '../../../src/domain/plan.ts';
import type { PromisingSite, ReservedWork } from '../../../src/experiment/varq/promising-site.ts';
import { VarqReservation } from '../../../src/experiment/varq/varq-reservation.ts';
import { advance } from '../../../src/flow/advance.ts';
import type { FlowContext } from '../../../src/flow/context.ts';
import { recomputeHeld } from '../../../src/flow/recompute.ts';
import type { Forecaster } from '../../../src/forecast/forecaster.ts';
import { pointAfterRelease } from '../../../src/plan/price.ts';
import { replan } from '../../../src/plan/replan.ts';
import type { ExecutionFacts, PromiseFacts } from '../../../src/plan/reservation/life.ts';
import { computeTrajectory } from '../../../src/plan/trajectory.ts';
import { Agenda } from '../../../src/sim/agenda.ts';
import { wakeRow } from '../../../src/store/outbox.ts';
import { writePromise } from '../../../src/store/promises.ts';
import { findReservedExecution } from '../../../src/store/reservations.ts';
import { findCharges } from '../../../src/store/scores.ts';
import { createSite } from '../../../src/store/sites.ts';
import { forecastOf } from '../../unit/plan/forecast-fixture.ts';
import { type JobScript, PROCESSORS, ScriptedSite } from './scripted-site.ts';
import { createSteppedWorld, type SteppedWorld } from './stepped-world.ts';

let world: SteppedWorld;
beforeAll(async () => {
  const intervals = { observeIntervalSeconds: TICK_SECONDS, recomputeIntervalSeconds: TICK_SECONDS };
  world = await createSteppedWorld({ seed: 1, sites: [], settings: { ...intervals, retrySeconds: TICK_SECONDS } });
});
afterAll(() => world.close());

/** When a promise is submitted, what its site does with the jobs it is handed, and what its caller does. */
interface Story {
  readonly submitAt: number;
  readonly jobs: readonly JobScript[];
  readonly cancelAt?: number;
}

/** What is told of a promise and its execution. Moments in seconds from the beginning. */
interface Told {
  readonly at: number;
  readonly execution: ExecutionFacts['state'];
  readonly promise: PromiseFacts['state'];
  readonly outcome: ExecutionFacts['outcome'];
  readonly startedAt: number | null;
  readonly endedAt: number | null;
  readonly missingSince: number | null;
  readonly releasedProcessorSeconds: number;
  readonly isSettled: boolean;
}

/** All moves in their order, and what was charged. */
interface Account {
  readonly moves: readonly Told[];
  readonly charges: Readonly<Record<string, number>>;
}

const START_SECONDS = 1800;
const RUN_SECONDS = 600;
const LAST_SECONDS = 3000;
/** Every so often the site is looked at, and promises that wait or hold are thought over. */
const TICK_SECONDS = 30;
const WAIT = forecastOf(() => 300);
const PRICE_SECONDS = 3600;
const PROMISED = { probability: 0.9, aimedProbability: 0.95, holdPriceSeconds: PRICE_SECONDS };

/** At a site where everybody waits for five minutes. */
function trajectoryFrom(now: EpochSeconds, startAt: EpochSeconds): Trajectory {
  const terms = { walltimeSeconds: RUN_SECONDS, startAt, holdUntilAt: startAt, maxWalltimeSeconds: null };
  return computeTrajectory({ ...terms, earliestSubmitAt: now, forecastAt: () => WAIT });
}

/** Notes what is new since the promise was made. */
function note(moves: Told[], beginsAt: number, now: number, execution: ExecutionFacts, promise: PromiseFacts): void {
  const since = (at: EpochSeconds | null) => (at === null ? null : Math.round(at - beginsAt));
  const told: Told = {
    at: Math.round(now - beginsAt),
    execution: execution.state,
    promise: promise.state,
    outcome: execution.outcome,
    startedAt: since(execution.startedAt),
    endedAt: since(execution.endedAt),
    missingSince: since(execution.missingSince),
    releasedProcessorSeconds: promise.releasedProcessorSeconds,
    isSettled: execution.settledAt !== null,
  };
  const last = moves.at(-1);
  if (!last && told.execution === 'HELD') return;
  if (!last || JSON.stringify({ ...told, at: 0 }) !== JSON.stringify({ ...last, at: 0 })) moves.push(told);
}

/** The story as the service lives it: its own steps over its own tables. */
async function toldByTheService(name: string, story: Story): Promise<Account> {
  const { clock, database, commands, principal } = world;
  const { db } = database;
  const beginsAt = Math.ceil(clock.now());
  clock.advanceTo(beginsAt);
  const site = new ScriptedSite(beginsAt, story.jobs, () => clock.now());
  const { id: siteId } = await createSite(db, { name, adapter: 'simulator', configuration: {}, now: beginsAt });
  const { executionId, reservationId } = await promiseAt(siteId, beginsAt, beginsAt + story.submitAt);
  const moves: Told[] = [];
  const noteRows = async () => {
    const found = await findReservedExecution(db, executionId);
    if (found?.reservation) note(moves, beginsAt, clock.now(), found.execution, found.reservation);
  };
  const worker = workerAt(site, noteRows);
  for (let at = 0; at <= LAST_SECONDS && moves.at(-1)?.isSettled !== true; at += TICK_SECONDS) {
    clock.advanceTo(beginsAt + at);
    await recomputeHeld(worker, 10);
    await lookAndAct(worker, siteId, executionId);
    if (at !== story.cancelAt) continue;
    await cancelReservation(commands, principal, { id: reservationId, idempotencyKey: null });
    await lookAndAct(worker, siteId, executionId);
  }
  const rows = await findCharges(db, [executionId]);
  return { moves, charges: Object.fromEntries(rows.map(({ kind, processorSeconds }) => [kind, processorSeconds])) };
}

/** Looks at the site and lets the execution do what is due, again as long as it had anything to do. */
async function lookAndAct(worker: FlowContext, siteId: string, executionId: string): Promise<void> {
  const { db } = world.database;
  const now = world.clock.now();
  for (let hasActed = true; hasActed; ) {
    await world.database.transaction((tx) => wakeRow(tx, 'Site', siteId, now, null));
    await advance(worker, { kind: 'SITE', targetId: siteId, wakeAt: now, requestId: null });
    const row = await db.execution.findUniqueOrThrow({ where: { id: executionId }, select: { wakeAt: true } });
    const wakeAt = row.wakeAt && row.wakeAt.getTime() / 1000;
    hasActed = wakeAt !== null && wakeAt <= now;
    if (hasActed) await advance(worker, { kind: 'EXECUTION', targetId: executionId, wakeAt: now, requestId: null });
  }
}

async function promiseAt(siteId: string, now: EpochSeconds, submitAt: EpochSeconds) {
  const { database, principal } = world;
  const startAt = now + START_SECONDS;
  const [tenantId, principalId] = [principal.tenantId, principal.id];
  const work = { name: 'told', script: '#!/bin/sh\n', arguments: [], processors: PROCESSORS, queue: null };
  const owner = { tenantId, principalId, requestId: 'story', allowedSiteIds: [], deadlineAt: null, now };
  const { probability, holdPriceSeconds } = PROMISED;
  const costs = {
    worstPaddingProcessorSeconds: 0,
    expectedPaddingProcessorSeconds: 0,
    maxPaddingProcessorSeconds: null,
  };
  const { reservationId } = await database.transaction((tx) =>
    writePromise(tx, {
      request: { ...owner, ...work, walltimeSeconds: RUN_SECONDS },
      assignment: { siteId, siteQueue: null, submitAt },
      plan: { madeAt: now, chosen: null, submitAt, candidates: [] },
      forecasts: [],
      terms: {
        ...costs,
        coAllocationId: null,
        legId: null,
        mode: 'HOLD',
        startAt,
        windowOpensAt: null,
        ifMissed: 'CANCEL',
        probability,
        promisedProbability: probability,
        holdPriceSeconds,
        trajectory: [],
      },
    }),
  );
  const { executionId } = await database.db.reservation.findUniqueOrThrow({ where: { id: reservationId } });
  return { executionId, reservationId };
}

/** A worker at the scripted site who is told the same forecasts as the experiment; every transaction is noted. */
function workerAt(site: ScriptedSite, noteRows: () => Promise<void>): FlowContext {
  const worker = world.worker({
    database: (plain) => ({
      ...plain,
      async transaction(work, timeout) {
        const result = await plain.transaction(work, timeout);
        await noteRows();
        return result;
      },
    }),
  });
  const forecaster: Forecaster = {
    ...worker.forecaster,
    async replanReservations(_siteId, held) {
      return held.map(({ now, startAt }) => {
        const trajectory = trajectoryFrom(now, startAt);
        return { trajectory, point: replan({ ...PROMISED, priceSeconds: PRICE_SECONDS }, trajectory) };
      });
    },
    async weighRelease(_siteId, { holdPriceSeconds: priceSeconds, now, startAt, ...holding }) {
      return pointAfterRelease({ ...holding, priceSeconds }, trajectoryFrom(now, startAt));
    },
  };
  const adapter = site.adapter();
  return { ...worker, forecaster, adapterOf: () => adapter };
}

/** The story as an experiment lives it, on its agenda. */
function toldByTheExperiment(story: Story): Account {
  const moves: Told[] = [];
  let now = 0;
  const site = new ScriptedSite(0, story.jobs, () => now);
  const promising: PromisingSite = {
    patienceSeconds: 2 * TICK_SECONDS,
    trajectoryOf: ({ startAt }: ReservedWork) => trajectoryFrom(now, startAt),
    forecastOf: () => WAIT,
    submit: () => site.submit('told'),
    seen: (job) => site.seen(job),
    cancel: (job) => site.cancel(job),
    noteHeld: () => undefined,
  };
  const work = { processors: PROCESSORS, runSeconds: RUN_SECONDS, startAt: START_SECONDS };
  const point = { submitAt: story.submitAt, walltimeSeconds: RUN_SECONDS, probability: 0.9, expectedHoldSeconds: 0 };
  const { probability, aimedProbability } = PROMISED;
  const terms = { work, point, probability, aimedProbability, priceSeconds: PRICE_SECONDS, coAllocationId: null };
  const reservation = new VarqReservation(
    promising,
    {
      ...terms,
      maxChargeProcessorSeconds: null,
      maxExpectedPaddingProcessorSeconds: null,
      recomputeSeconds: TICK_SECONDS,
    },
    0,
    ({ execution, reservation: promise }) => note(moves, 0, now, execution, promise),
  );
  const caller = {
    dueAt: 0,
    next() {
      now = this.dueAt;
      while (reservation.dueAt <= now) reservation.next();
      reservation.look(now);
      if (now === story.cancelAt) reservation.cancel(now);
      this.dueAt += TICK_SECONDS;
    },
  };
  const agenda = new Agenda([caller]);
  while (agenda.nextAt <= LAST_SECONDS) agenda.next();
  return {
    moves,
    charges: Object.fromEntries(reservation.charges.map(({ kind, processorSeconds }) => [kind, processorSeconds])),
  };
}

const LATEST_SUBMISSION = START_SECONDS - 300;
const ENDS = START_SECONDS + RUN_SECONDS;
const inTime = { startAt: START_SECONDS - 100, endAt: ENDS };
const NEEDED = RUN_SECONDS * PROCESSORS;

const STORIES: Readonly<Record<string, Story & { readonly states: string; readonly charges: object }>> = {
  'starts early, holds, is there at its moment and ends afterwards': {
    submitAt: LATEST_SUBMISSION,
    jobs: [inTime],
    states: 'SUBMITTING/PROMISED QUEUED/SUBMITTED RUNNING/HOLDING RUNNING/KEPT ENDED/KEPT',
    charges: { NEEDED, PADDING: 100 * PROCESSORS },
  },
  'starts just before its moment and ends just after it': {
    submitAt: LATEST_SUBMISSION,
    jobs: [{ startAt: START_SECONDS - 10, endAt: START_SECONDS + 1 }],
    states: 'SUBMITTING/PROMISED QUEUED/SUBMITTED RUNNING/HOLDING RUNNING/KEPT ENDED/KEPT',
    charges: { NEEDED: PROCESSORS, PADDING: 10 * PROCESSORS },
  },
  'is still waiting at its moment': {
    submitAt: LATEST_SUBMISSION,
    jobs: [{ startAt: START_SECONDS + 100, endAt: ENDS }],
    states: 'SUBMITTING/PROMISED QUEUED/SUBMITTED QUEUED/MISSED ENDED/MISSED',
    charges: {},
  },
  'ends before its moment': {
    submitAt: LATEST_SUBMISSION,
    jobs: [{ startAt: START_SECONDS - 110, endAt: START_SECONDS - 40, outcome: 'FAILED' }],
    states: 'SUBMITTING/PROMISED QUEUED/SUBMITTED RUNNING/HOLDING ENDED/HOLDING ENDED/MISSED',
    charges: { PADDING: 70 * PROCESSORS },
  },
  'is lost in the queue, and another job is there in time': {
    submitAt: LATEST_SUBMISSION,
    jobs: [
      { startAt: null, endAt: null, lostAt: START_SECONDS - 200 },
      { startAt: START_SECONDS - 10, endAt: ENDS },
    ],
    states:
      'SUBMITTING/PROMISED QUEUED/SUBMITTED HELD/PROMISED SUBMITTING/PROMISED ' +
      'QUEUED/SUBMITTED RUNNING/HOLDING RUNNING/KEPT ENDED/KEPT',
    charges: { NEEDED, PADDING: 10 * PROCESSORS },
  },
  'is lost while it holds': {
    submitAt: LATEST_SUBMISSION,
    jobs: [{ startAt: START_SECONDS - 110, endAt: null, lostAt: START_SECONDS - 80 }],
    states: 'SUBMITTING/PROMISED QUEUED/SUBMITTED RUNNING/HOLDING ENDED/HOLDING ENDED/MISSED',
    charges: { PADDING: 110 * PROCESSORS },
  },
  'holds far too early, gives its processors back, and another job is there in time': {
    submitAt: 0,
    jobs: [{ startAt: 590, endAt: null }, inTime],
    states:
      'SUBMITTING/PROMISED QUEUED/SUBMITTED RUNNING/HOLDING HELD/PROMISED SUBMITTING/PROMISED ' +
      'QUEUED/SUBMITTED RUNNING/HOLDING RUNNING/KEPT ENDED/KEPT',
    charges: { NEEDED, PADDING: (10 + 100) * PROCESSORS },
  },
  'is cancelled while it is held': {
    submitAt: LATEST_SUBMISSION,
    jobs: [],
    cancelAt: 600,
    states: 'ENDED/CANCELLED',
    charges: {},
  },
  'is cancelled in the queue': {
    submitAt: LATEST_SUBMISSION,
    jobs: [inTime],
    cancelAt: START_SECONDS - 180,
    states: 'SUBMITTING/PROMISED QUEUED/SUBMITTED QUEUED/CANCELLED ENDED/CANCELLED',
    charges: {},
  },
  'is cancelled while it holds': {
    submitAt: LATEST_SUBMISSION,
    jobs: [inTime],
    cancelAt: START_SECONDS - 60,
    states: 'SUBMITTING/PROMISED QUEUED/SUBMITTED RUNNING/HOLDING RUNNING/CANCELLED ENDED/CANCELLED',
    charges: { PADDING: 40 * PROCESSORS },
  },
};

describe('service and experiments live one life of a promise', { timeout: 240_000 }, () => {
  test.each(Object.entries(STORIES))('it %s', async (name, { states, charges, ...story }) => {
    const lived = toldByTheExperiment(story);
    expect(statesOf(lived)).toBe(states);
    const told = await toldByTheService(name, story);
    expect(told.moves).toEqual(lived.moves);
    expect([told.charges, lived.charges]).toEqual([charges, charges]);
  });
});

/** The states that it goes through, each once. */
function statesOf({ moves }: Account): string {
  const all = moves.map(({ execution, promise }) => `${execution}/${promise}`);
  return all.filter((state, n) => state !== all[n - 1]).join(' ');
}

import { logFault, watchStore } from '../store/log-fault.ts';
import type { WakeUp } from '../store/outbox.ts';
import { findClaimant } from '../store/turns.ts';
import { advance } from './advance.ts';
import type { FlowContext } from './context.ts';
import { FairGate } from './fair-gate.ts';
import { guarded } from './guarded.ts';
import { MachineClock } from './machine-clock.ts';
import { Pulse } from './pulse.ts';
import type { QueueStore } from './queue-store.ts';
import { startRecomputing } from './recompute.ts';
import { startRelay } from './relay.ts';
import { startSweeper } from './sweeper.ts';
import { openWakeQueue, startWakeWorker } from './wake-queue.ts';
import type { WakeUpResult } from './wake-up-jobs.ts';

/**
 * A running worker: relay, sweeper, the look at waiting promises and the steps themselves. Any number of them may share
 * one deployment.
 */
export interface FlowWorker {
  /** Whether it gets anything done. */
  readonly pulse: Pulse;
  /** Whether wake-ups can be put into the queue. */
  reachesQueues(): Promise<boolean>;
  /** Finishes the steps in hand, then lets go of everything. */
  close(): Promise<void>;
}

/** Sites mostly wait for an answer, each in one slot. */
const SITE_SLOTS_PER_SLOT = 2;
/** Wake-ups that wait at the gate, so that it can choose among them. */
const WAITING_PER_SLOT = 64;
/** What one site may take of the slots: with less two sick ones would take all. */
const SHARE_OF_SITE = 3 / 8;
/** What is kept free of the slots for what is urgent, while plans wait for a forecaster that has just started. */
const SHARE_OF_URGENT = 1 / 4;

/** Of one tenant for one site, by one slot. */
const MOST_TOGETHER = 32;

/** By then the clock of the machine has been held against PostgreSQL's again. */
const UNTRUSTED_MILLISECONDS = 2000;

/** Files are moved beside the slots, so that they keep nobody waiting: at most so many of them at once. */
const SHARE_OF_FILES = 1 / 2;

/** Starts taking part in the durable execution of everything in the database. */
export async function startFlowWorker(given: FlowContext, queues: QueueStore): Promise<FlowWorker> {
  const { logger, settings } = given;
  const { concurrency } = settings;
  const pulse = new Pulse(settings.stepMilliseconds + settings.leaseMilliseconds);
  const context = guarded(given, pulse);
  const gate = gateOf(concurrency);
  const movers = moversOf(concurrency);
  const inHand = new Map<string, number>();
  const machineClock = new MachineClock(settings.maxSkewSeconds);
  let doing = 'waiting for the queue store';
  const onQueueError = (error: Error) => logFault(logger, error, doing);
  const queue = await openWakeQueue(queues, onQueueError);
  const worker = await startWakeWorker(
    queues,
    { sites: concurrency * SITE_SLOTS_PER_SLOT, work: concurrency * WAITING_PER_SLOT },
    async (wakeUp) => {
      if (!machineClock.isTrusted) return { againInMilliseconds: UNTRUSTED_MILLISECONDS };
      const through = wakeUp.kind === 'STAGING' ? movers : gate;
      return holding(inHand, wakeUp.targetId, () => carryOut(context, through, wakeUp));
    },
    (error, wakeUp) => {
      if (wakeUp) return logFault(logger, error, 'step failed', wakeUp);
      queue.noteFault(error);
      onQueueError(error);
    },
  );
  doing = 'queue';
  const endWatch = watchStore(logger, 'queue store', () => queue.isGood());
  const relay = await startRelay(context, queue);
  const sweeper = startSweeper(context, queue, pulse, inHand, machineClock);
  const recomputing = startRecomputing(context);
  return {
    pulse,
    reachesQueues: () => queue.isGood(),
    async close() {
      endWatch();
      for (const each of [gate, movers]) each.close();
      // Files that are on their way are gone on with by whoever comes next.
      await context.remoteFiles.close();
      await recomputing.close();
      await sweeper.close();
      await relay.close();
      await worker.close();
      await queue.close();
    },
  };
}

function gateOf(concurrency: number): FairGate {
  const slotsPerSite = Math.max(1, Math.floor(concurrency * SHARE_OF_SITE));
  return new FairGate(concurrency, slotsPerSite, Math.floor(concurrency * SHARE_OF_URGENT), MOST_TOGETHER);
}

function moversOf(concurrency: number): FairGate {
  const files = Math.max(1, Math.floor(concurrency * SHARE_OF_FILES));
  return new FairGate(files, Math.max(1, files - 1));
}

/** Does work while it is noted that a row is in hand, and since when. */
async function holding<T>(inHand: Map<string, number>, id: string, work: () => Promise<T>): Promise<T> {
  inHand.set(id, performance.now());
  try {
    return await work();
  } finally {
    inHand.delete(id);
  }
}

/** Sites have slots of their own; whatever else is woken goes through the gate. */
async function carryOut(context: FlowContext, gate: FairGate, wakeUp: WakeUp): Promise<WakeUpResult> {
  if (wakeUp.kind === 'SITE') return advance(context, wakeUp);
  const claimant = await findClaimant(context.database.db, wakeUp.kind, wakeUp.targetId);
  if (!claimant) return 'DONE';
  return (await gate.pass(claimant, () => advance(context, wakeUp))) ?? { againInMilliseconds: 0 };
}

import { logFault } from '../store/log-fault.ts';
import { storeAtFault } from '../store/outages.ts';
import { findOverdueWakeUps, type WakeUp } from '../store/outbox.ts';
import { findGone } from '../store/presence.ts';
import { endLeasesOf, listLeaseHolders } from '../store/turns.ts';
import { ClockWatch } from './clock-watch.ts';
import type { FlowContext } from './context.ts';
import { MachineClock } from './machine-clock.ts';
import type { Pulse } from './pulse.ts';
import { endRetentions } from './retentions.ts';
import type { WakeQueue } from './wake-queue.ts';

const BATCH = 1000;
const RETENTION_INTERVAL_MILLISECONDS = 60_000;
/** How long a process must be away until its turns are given up. */
const AWAY_MILLISECONDS = 3000;
/** What is in hand for longer may be stuck there. */
const IN_HAND_MILLISECONDS = 60_000;
const FIRST_PAUSE_MILLISECONDS = 2000;
const LONGEST_PAUSE_MILLISECONDS = 30_000;

/**
 * Rebuilds lost wake-ups from the tables: any row whose wake-up is overdue and that nobody works on is brought back
 * into the queue. It makes the queue store expendable. The turns of processes that are gone are given up at once. Now
 * and then it also sums up scores and ends retentions.
 * @param inHand ids of the rows whose wake-ups wait in this process for their slots, and since when of the process'
 * clock; they are not lost
 * @param machineClock the worker is given up when that is off: all it decides would be for another moment
 */
export function startSweeper(
  context: FlowContext,
  queue: WakeQueue,
  pulse: Pulse,
  inHand: ReadonlyMap<string, number> = new Map(),
  machineClock = new MachineClock(context.settings.maxSkewSeconds),
): { close(): Promise<void> } {
  const sweeper = new Sweeper(context, queue, pulse, inHand, machineClock);
  let sweeping: Promise<void> | null = null;

  function kick(): void {
    sweeping ??= sweeper
      .sweep()
      .catch((error: unknown) => {
        if (storeAtFault(error) === 'database') pulse.beat();
        logFault(context.logger, error, 'sweeper');
      })
      .finally(() => {
        sweeping = null;
      });
  }

  const timer = setInterval(kick, context.settings.sweepMilliseconds);
  kick();
  return {
    async close() {
      clearInterval(timer);
      await sweeping;
    },
  };
}

/** What the sweeper remembers from one look to the next. */
class Sweeper {
  private readonly swept = new SweptBefore();
  private readonly gone = new GoneProcesses();
  private readonly clockWatch = new ClockWatch();
  private retainedAt = performance.now();

  constructor(
    private readonly context: FlowContext,
    private readonly queue: WakeQueue,
    private readonly pulse: Pulse,
    private readonly inHand: ReadonlyMap<string, number>,
    private readonly machineClock: MachineClock,
  ) {}

  async sweep(): Promise<void> {
    const isOff = await this.machineClock.look(this.context.database.db);
    if (isOff !== null) return this.pulse.giveUp(isOff);
    await this.gone.giveUpTurns(this.context);
    await this.clockWatch.look(this.context);
    await this.wakeOverdue();
    if (performance.now() - this.retainedAt < RETENTION_INTERVAL_MILLISECONDS) return;
    this.retainedAt = performance.now();
    await endRetentions(this.context);
  }

  private async wakeOverdue(): Promise<void> {
    const { database, clock, settings, logger } = this.context;
    const found = await findOverdueWakeUps(database.db, clock.now() - settings.overdueSeconds, BATCH);
    // Rows stay overdue for as long as nothing can be written, which another process would not mend.
    if (found.length === 0 || !(await database.takesWrites())) this.pulse.beat();
    const now = performance.now();
    const isInHand = (id: string) => now - (this.inHand.get(id) ?? Number.NEGATIVE_INFINITY) < IN_HAND_MILLISECONDS;
    const lost = found.filter(({ targetId }) => !isInHand(targetId));
    const overdue = this.swept.pick(lost, now);
    if (overdue.length === 0) return;
    const by = await database.presence.id();
    await this.queue.add(
      overdue.map(({ version, ...wakeUp }) => ({ wakeUp, delayMilliseconds: 0, swept: { version, by } })),
    );
    logger.info({ count: overdue.length }, 'overdue rows woken again');
  }
}

/** The processes that have turns and are away. */
class GoneProcesses {
  private since: ReadonlyMap<number, number> = new Map();

  /**
   * Gives up the turns of those that stay away; one that has just lost its connection finds its way back within a few
   * seconds.
   */
  async giveUpTurns({ database: { db }, logger }: FlowContext): Promise<void> {
    const now = performance.now();
    const gone = await findGone(db, await listLeaseHolders(db));
    this.since = new Map(gone.map((id) => [id, this.since.get(id) ?? now]));
    const dead = gone.filter((id) => now - (this.since.get(id) ?? now) >= AWAY_MILLISECONDS);
    const count = await endLeasesOf(db, dead);
    if (count > 0) logger.info({ count }, 'turns of processes that are gone are given up');
  }
}

type Overdue = WakeUp & { readonly version: number };

/**
 * Rows that have been woken again and wait for a free worker are not woken at every look: a queue of thousands would
 * get them all anew every second. The pauses grow, and end, for the queue may have been lost since.
 */
export class SweptBefore {
  private rows = new Map<string, { againAt: number; pauseMilliseconds: number }>();

  /** Those of the overdue rows that are to be woken now. */
  pick(overdue: readonly Overdue[], nowMilliseconds: number): Overdue[] {
    const before = this.rows;
    this.rows = new Map();
    return overdue.filter(({ kind, targetId, version, wakeAt }) => {
      const name = `${kind} ${targetId} ${version} ${wakeAt}`;
      const known = before.get(name);
      const isTime = !known || nowMilliseconds >= known.againAt;
      const pauseMilliseconds = known
        ? Math.min(LONGEST_PAUSE_MILLISECONDS, known.pauseMilliseconds * (isTime ? 2 : 1))
        : FIRST_PAUSE_MILLISECONDS;
      this.rows.set(name, isTime ? { againAt: nowMilliseconds + pauseMilliseconds, pauseMilliseconds } : known);
      return isTime;
    });
  }
}

import type { Logger } from 'pino';
import { isDatabaseAway, isDatabaseUnwilling, sqlStateOf } from './database-away.ts';
import { FaultGate } from './fault-gate.ts';
import { LostWakeUp } from './lost-wake-up.ts';
import { RedisFault } from './redis-fault.ts';

/** What may be away, in the words of the log. */
export type Store = 'database' | 'queue store';

/** What a store said last of why it does not do what it is asked. */
export interface StoreFault {
  readonly store: Store;
  readonly code: string;
  readonly reason: string;
}

/**
 * What the log of a process says of stores that are away: the first fault of each kind, one an hour while it stays, and
 * that the store is back.
 */
export class Outages {
  /** The last fault of any store, null when there was none. */
  last: StoreFault | null = null;
  private readonly gate = new FaultGate();

  constructor(private readonly logger: Logger) {}

  /**
   * Takes note of an error that comes of a store, which is in the log then, or was not long ago.
   * @param what failed
   * @returns false for an error that comes of something else
   */
  note(error: unknown, what: string, facts: object): boolean {
    const store = storeAtFault(error);
    if (store === null || !(error instanceof Error)) return false;
    const code = sqlStateOf(error) ?? codeOf(error);
    this.last = { store, code, reason: error.message };
    const unlogged = this.gate.note(store, code);
    if (unlogged !== null) this.logger.warn({ err: error, ...facts, unlogged }, `${what}: the ${store} ${does(error)}`);
    return true;
  }

  /** Looks once a second whether a store is back that was away. @returns what ends that */
  watch(store: Store, answers: () => Promise<boolean>): () => void {
    let asking: Promise<void> | null = null;
    const isQuiet = () => (this.gate.quietMilliseconds(store) ?? 0) >= QUIET_MILLISECONDS;
    const look = async () => {
      if (!(await answers()) || !isQuiet()) return;
      this.logger.info({ ...this.gate.clear(store) }, `the ${store} answers again`);
    };
    const timer = setInterval(() => {
      if (!isQuiet()) return;
      asking ??= look().finally(() => {
        asking = null;
      });
    }, LOOK_MILLISECONDS).unref();
    return () => clearInterval(timer);
  }
}

const LOOK_MILLISECONDS = 1000;
/** One that is there by halves would be away and back all the time. */
const QUIET_MILLISECONDS = 5000;

const outages = new WeakMap<Logger, Outages>();

/** Those of the process that a logger is of. */
export function outagesOf(logger: Logger): Outages {
  const known = outages.get(logger) ?? new Outages(logger);
  outages.set(logger, known);
  return known;
}

/** Which store an error comes of that is away, or has no means to do what it is asked; null for any other error. */
export function storeAtFault(error: unknown): Store | null {
  if (error instanceof RedisFault || error instanceof LostWakeUp) return 'queue store';
  return isDatabaseAway(error) || OUT_OF_MEANS.test(sqlStateOf(error) ?? '') ? 'database' : null;
}

function does(error: Error): string {
  if (error instanceof LostWakeUp) return 'lost a wake-up that was in hand, which is brought back';
  const refuses = error instanceof RedisFault ? error.isRefusal : isDatabaseUnwilling(error) || !isDatabaseAway(error);
  return refuses ? 'refuses' : 'is away';
}

/** Classes of SQLSTATEs (appendix A of PostgreSQL's manual): insufficient resources, and errors of the system. */
const OUT_OF_MEANS = /^(53|58)/;

function codeOf(error: Error): string {
  const { code } = error as NodeJS.ErrnoException;
  return typeof code === 'string' ? code : error.name;
}

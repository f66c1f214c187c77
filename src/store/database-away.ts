import { setTimeout as sleep } from 'node:timers/promises';
import { SILENT } from './database-client.ts';

const FIRST_PAUSE_MILLISECONDS = 100;
const LONGEST_PAUSE_MILLISECONDS = 2000;

/**
 * Codes that say "not now": SQLSTATEs of a PostgreSQL that is starting, stopping, full or only read, as one that stands
 * by for another (appendix A of its manual),
 * errors of the network, and Prisma's own (its error reference) for a server out of reach, a lost connection and a
 * transaction cut off by either.
 */
const AWAY_CODES = new Set([
  ...['08000', '08001', '08003', '08004', '08006', '25006', '53300', '57P01', '57P02', '57P03', '57P05'],
  ...['ECONNREFUSED', 'ECONNRESET', 'ECONNABORTED', 'EPIPE', 'ETIMEDOUT', 'EHOSTUNREACH', 'ENETUNREACH', 'EAI_AGAIN'],
  ...['P1001', 'P1002', 'P1008', 'P1017', 'P2024', 'P2028', 'P2037'],
]);

/** Words of pg where it has no code, and of an error that lost its code on its way between threads. */
const AWAY_WORDS =
  /connect (ENOENT|EAGAIN|ECONNREFUSED)|Connection terminated|connection error and is not queryable|Can't reach database server|trying to connect|Code: `(08\d{3}|25006|53300|57P0[1235])`/;

interface AwayError {
  readonly code?: unknown;
  readonly cause?: unknown;
  /**
   * Of a server behind a socket, one that is down has no socket, and one that is busy no place in the line before it.
   */
  readonly syscall?: unknown;
  readonly meta?: { readonly driverAdapterError?: unknown };
}

/** Whether an error says that PostgreSQL is away, so that the same may well succeed in a while. */
export function isDatabaseAway(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { code, cause, meta, syscall } = error as AwayError;
  if (typeof code === 'string' && AWAY_CODES.has(code)) return true;
  if (syscall === 'connect' && (code === 'ENOENT' || code === 'EAGAIN')) return true;
  if (error.message === SILENT || AWAY_WORDS.test(error.message)) return true;
  return isAwayCause(cause) || isDatabaseAway(meta?.driverAdapterError);
}

/** Whether PostgreSQL was there and would not do what it was asked, as where its disk is full. */
export function isDatabaseRefusal(error: unknown): boolean {
  return error instanceof Error && /^PrismaClient(Known|Unknown)RequestError$/.test(error.name);
}

/** Whether an error says that there is no database of that name; one that is restored from a backup is away so. */
export function isDatabaseGone(error: unknown): boolean {
  return error instanceof Error && GONE_WORDS.test(`${(error as AwayError).code} ${error.message}`);
}

const GONE_WORDS = /\b(3D000|P1003)\b/;

/** Prisma's adapter wraps what pg said in a plain object. */
function isAwayCause(cause: unknown): boolean {
  if (typeof cause !== 'object' || cause === null) return false;
  const { originalCode, kind } = cause as { originalCode?: unknown; kind?: unknown };
  if (kind === 'DatabaseNotReachable' || kind === 'ConnectionClosed') return true;
  return typeof originalCode === 'string' ? AWAY_CODES.has(originalCode) : isDatabaseAway(cause);
}

/** The pause after so many failures in a row, in milliseconds: doubling, two seconds at most. */
export function awayPauseMilliseconds(failures: number): number {
  return Math.min(LONGEST_PAUSE_MILLISECONDS, FIRST_PAUSE_MILLISECONDS * 2 ** Math.max(0, failures - 1));
}

/**
 * Tries until PostgreSQL is there, with growing pauses.
 * @param onAway told of every failure that is waited out
 * @throws the last error when that takes longer than `patienceMilliseconds`, and any other error at once
 */
export async function untilDatabaseIsThere<T>(
  attempt: () => Promise<T>,
  patienceMilliseconds: number,
  onAway: (error: Error) => void,
): Promise<T> {
  const giveUpAt = performance.now() + patienceMilliseconds;
  for (let failures = 1; ; failures++) {
    try {
      return await attempt();
    } catch (error) {
      if (!(error instanceof Error) || !isDatabaseAway(error) || performance.now() > giveUpAt) throw error;
      onAway(error);
      await sleep(awayPauseMilliseconds(failures));
    }
  }
}

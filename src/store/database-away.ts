import { setTimeout as sleep } from 'node:timers/promises';
import { SILENT } from './database-client.ts';

const FIRST_PAUSE_MILLISECONDS = 100;
const LONGEST_PAUSE_MILLISECONDS = 2000;

/**
 * SQLSTATEs of a PostgreSQL whose machine lacks something: files, workers or shared memory (53000), room on the disk
 * (53100), memory (53200), a disk without faults (58030). A limit that somebody set (53400, 54000) is none of them, for
 * waiting lifts none.
 */
const LACKING_CODES = ['53000', '53100', '53200', '58030'];

/**
 * SQLSTATEs of what took longer than whoever runs PostgreSQL lets it: a wait for a lock (55P03), a statement, which an
 * admin may cancel, too (57014), a transaction that is idle (25P03), and one as a whole (25P04).
 */
const CUT_OFF_CODES = ['55P03', '57014', '25P03', '25P04'];

/**
 * Codes that say "not now": SQLSTATEs of a PostgreSQL that is starting, stopping, out of connections, lacks something,
 * cuts off or is only read, as one that stands by for another (appendix A of its manual), errors of the network, and
 * Prisma's own (its error reference) for a server out of reach, a lost connection and a transaction cut off by either.
 */
const AWAY_CODES = new Set([
  ...['08000', '08001', '08003', '08004', '08006', '08007', '25006', '53300', '57P01', '57P02', '57P03', '57P05'],
  ...LACKING_CODES,
  ...CUT_OFF_CODES,
  ...['ECONNREFUSED', 'ECONNRESET', 'ECONNABORTED', 'EPIPE', 'ETIMEDOUT', 'EHOSTUNREACH', 'ENETUNREACH', 'EAI_AGAIN'],
  ...['P1001', 'P1002', 'P1008', 'P1017', 'P2024', 'P2028', 'P2037'],
]);

/** Words of pg where it has no code. */
const AWAY_WORDS =
  /\b(connect|getaddrinfo) E[A-Z_]+\b|Connection terminated|connection error and is not queryable|Can't reach database server|trying to connect/;

/** Words of PgBouncer that has no server or no place. Its code, 08P01, is that of any breach of the protocol. */
const POOLER_WORDS = /server_login_retry|query_wait_timeout|no more connections allowed|server conn crashed/;

/** In an error that lost its code on its way between threads, see `saidWithCode`. */
const CODE_WORDS = /Code: `(\w{5})`/;

/** What pg's errors have, or Prisma's, or the plain objects in which its adapter wraps what pg said. */
interface Fault {
  readonly message?: unknown;
  readonly code?: unknown;
  readonly originalCode?: unknown;
  readonly kind?: unknown;
  readonly cause?: unknown;
  /**
   * Whoever cannot connect has no server, for whatever reason: a socket that is not there, no place in the line before
   * it, no open file left, a name that nobody knows.
   */
  readonly syscall?: unknown;
  readonly meta?: { readonly driverAdapterError?: unknown };
}

/** Whether an error says that PostgreSQL is away, so that the same may well succeed in a while. */
export function isDatabaseAway(error: unknown): boolean {
  return faultsIn(error).some((fault) => codesOf(fault).some((code) => AWAY_CODES.has(code)) || saysAway(fault));
}

/** Whether an error says that PostgreSQL lacks room, memory or a sound disk for what it was asked. */
export function isDatabaseLacking(error: unknown): boolean {
  return faultsIn(error).some((fault) => codesOf(fault).some((code) => LACKING_CODES.includes(code)));
}

/** Whether an error says that PostgreSQL is there and will not do what it was asked, for lack of means or of time. */
export function isDatabaseUnwilling(error: unknown): boolean {
  return isDatabaseLacking(error) || CUT_OFF_CODES.includes(sqlStateOf(error) ?? '');
}

/** What PostgreSQL itself called an error, wherever Prisma keeps that; null when it did not. */
export function sqlStateOf(error: unknown): string | null {
  const codes = faultsIn(error).flatMap(codesOf);
  return codes.find((code) => SQLSTATE.test(code)) ?? null;
}

/** The words of an error with its code, of which nothing else comes through between threads. */
export function saidWithCode(error: unknown): string {
  const { message } = error as Error;
  const code = faultsIn(error)
    .flatMap(codesOf)
    .find((one) => one.length === CODE_LENGTH);
  return code === undefined || message.includes(code) ? message : `${message} (Code: \`${code}\`)`;
}

/** Of SQLSTATEs and of Prisma's own. */
const CODE_LENGTH = 5;

/** Five signs; Prisma's own codes, from P1000 on, and EPIPE look alike. */
const SQLSTATE = /^(?!P[1-9]|EPIPE)[0-9A-Z]{5}$/;

/** An error and those that it wraps, which may be itself. */
function faultsIn(error: unknown, levels = DEEPEST_FAULT): Fault[] {
  if (typeof error !== 'object' || error === null || levels === 0) return [];
  const fault: Fault = error;
  return [fault, ...faultsIn(fault.cause, levels - 1), ...faultsIn(fault.meta?.driverAdapterError, levels - 1)];
}

const DEEPEST_FAULT = 6;

function codesOf({ code, originalCode, message }: Fault): string[] {
  const told = CODE_WORDS.exec(String(message))?.[1];
  return [code, originalCode, told].filter((one) => typeof one === 'string');
}

function saysAway({ message, kind, syscall }: Fault): boolean {
  if (syscall === 'connect' || syscall === 'getaddrinfo') return true;
  if (kind === 'DatabaseNotReachable' || kind === 'ConnectionClosed') return true;
  return message === SILENT || AWAY_WORDS.test(String(message)) || POOLER_WORDS.test(String(message));
}

/** Whether PostgreSQL was there and would not do what it was asked, as where it lacks room for it. */
export function isDatabaseRefusal(error: unknown): boolean {
  return error instanceof Error && /^PrismaClient(Known|Unknown)RequestError$/.test(error.name);
}

/** Whether an error says that there is no database of that name; one that is restored from a backup is away so. */
export function isDatabaseGone(error: unknown): boolean {
  return error instanceof Error && GONE_WORDS.test(`${(error as Fault).code} ${error.message}`);
}

const GONE_WORDS = /\b(3D000|P1003)\b/;

function isNameUnknown(error: unknown): boolean {
  return faultsIn(error).some(({ code }) => code === 'ENOTFOUND');
}

/** The pause after so many failures in a row, in milliseconds: doubling, two seconds at most. */
export function awayPauseMilliseconds(failures: number): number {
  return Math.min(LONGEST_PAUSE_MILLISECONDS, FIRST_PAUSE_MILLISECONDS * 2 ** Math.max(0, failures - 1));
}

/**
 * Tries until PostgreSQL is there, with growing pauses.
 * @param onAway told of every failure that is waited out
 * @throws the last error when that takes longer than `patienceMilliseconds`, and any other error at once, also that
 * nobody knows the server's name, which is likely a slip of the pen
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
      if (!(error instanceof Error) || !isDatabaseAway(error) || isNameUnknown(error)) throw error;
      if (performance.now() > giveUpAt) throw error;
      onAway(error);
      await sleep(awayPauseMilliseconds(failures));
    }
  }
}

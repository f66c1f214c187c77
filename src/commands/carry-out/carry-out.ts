import { createHash, randomUUID } from 'node:crypto';
import { CallerError } from '../../domain/failures.ts';
import { countCharacters } from '../../domain/text.ts';
import type { Db } from '../../store/database.ts';
import {
  abandonIdempotentCall,
  beginIdempotentCall,
  finishIdempotentCall,
  type IdempotentCall,
} from '../../store/idempotency.ts';
import type { Principal } from '../../store/principals.ts';
import type { CommandContext } from './context.ts';
import { type Action, assertMay } from './permissions.ts';

/** What every mutation may carry beside its own input. */
export interface Idempotent {
  /** A text of the caller's choice; the same key and input get the same answer, however often they are sent. */
  readonly idempotencyKey: string | null;
}

/** The answer of a command as it is kept for repeated calls: ids and figures, no moments. */
export type StoredAnswer = Readonly<Record<string, string | number | boolean | null>>;

/** Runs the one transaction of a command and keeps its answer in it. */
export type Commit<Answer> = (write: (tx: Db) => Promise<Answer>, how?: HowToCommit) => Promise<Answer>;

interface HowToCommit {
  /** The database's own unless given. */
  readonly timeoutMilliseconds?: number;
  /** Whether others that come at a time may share it, see `sharedTransactions`; not unless told. */
  readonly isShared?: boolean;
}

/**
 * Carries out one command: checks the caller's right, answers a repeated call with the first one's answer, and lets
 * `decide` validate and commit. A command that throws has changed nothing, and its key can be used again.
 * @throws CallerError FORBIDDEN, IDEMPOTENCY_MISMATCH, IN_FLIGHT, the reason of the context's signal, or what `decide`
 * throws
 */
export async function carryOut<Input extends Idempotent, Answer extends StoredAnswer>(
  context: CommandContext,
  principal: Principal,
  action: Action,
  input: Input,
  decide: (commit: Commit<Answer>) => Promise<Answer>,
): Promise<Answer> {
  assertMay(principal, action);
  const { database, signal } = context;
  const transaction: Commit<Answer> = (write, { isShared = false, timeoutMilliseconds } = {}) => {
    signal?.throwIfAborted();
    return isShared ? database.sharedTransaction(write) : database.transaction(write, timeoutMilliseconds);
  };
  const call = idempotentCall(principal, action, input);
  if (!call) return decide(transaction);
  const earlier = await beginIdempotentCall(database, call);
  if (earlier !== null) return earlier as Answer;
  try {
    return await decide((write, how) =>
      transaction(async (tx) => {
        const answer = await write(tx);
        await finishIdempotentCall(tx, call, answer);
        return answer;
      }, how),
    );
  } catch (error) {
    await abandonIdempotentCall(database.db, call);
    throw error;
  }
}

function idempotentCall(principal: Principal, mutation: Action, input: Idempotent): IdempotentCall | null {
  const { idempotencyKey: key, ...body } = input;
  if (key === null) return null;
  const characters = countCharacters(key);
  if (characters < 1 || characters > LONGEST_KEY || key.includes('\0')) {
    const message = `an idempotency key has 1 to ${LONGEST_KEY} characters, this one has ${characters}`;
    throw new CallerError('INVALID', 'input.idempotencyKey', message);
  }
  const bodyHash = createHash('sha256')
    .update(JSON.stringify(inKeyOrder(body)))
    .digest('hex');
  return { tenantId: principal.tenantId, key, mutation, bodyHash, callId: randomUUID() };
}

/** The same value with the fields of every object sorted by name, so that equal inputs have equal texts. */
function inKeyOrder(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inKeyOrder);
  if (value === null || typeof value !== 'object') return value;
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([name, field]) => [name, inKeyOrder(field)]));
}

const LONGEST_KEY = 200;

export { KEY_RETENTION_DAYS } from '../../store/idempotency.ts';

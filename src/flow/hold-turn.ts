import { logFault } from '../store/log-fault.ts';
import { renewTurn, type Turn } from '../store/turns.ts';
import type { FlowContext } from './context.ts';

/** Leases are renewed that many times before they would run out. */
const RENEWALS_PER_LEASE = 3;

/** A step that did not end by its deadline. Its row is given to somebody else when its lease has run out. */
export class StepOverdue extends Error {
  constructor({ table, id }: Turn, milliseconds: number) {
    super(`the step at ${table} ${id} did not end within ${milliseconds} ms`);
    this.name = 'StepOverdue';
  }
}

/**
 * Carries out work under a turn and keeps its lease alive meanwhile, so that the turn is not given out again while it
 * is in use. Work that does not end by the deadline is left behind: should it come to an end after all, the turn's
 * version keeps it from writing.
 * @throws StepOverdue then, and whatever the work throws
 */
export async function holdTurn<Result>(
  { database, settings, logger }: FlowContext,
  turn: Turn,
  work: () => Promise<Result>,
): Promise<Result> {
  const { leaseMilliseconds } = settings;
  // A file is put in one go, of which every part has a deadline of its own.
  const { stepMilliseconds } = turn.table === 'Staging' ? settings.staging : settings;
  const renewals = setInterval(() => {
    renewTurn(database.db, turn, leaseMilliseconds).catch((error: unknown) => logFault(logger, error, 'lease'));
  }, leaseMilliseconds / RENEWALS_PER_LEASE);
  let deadline: NodeJS.Timeout | undefined;
  const overdue = new Promise<never>((_, fail) => {
    deadline = setTimeout(() => fail(new StepOverdue(turn, stepMilliseconds)), stepMilliseconds);
  });
  const running = work();
  running.catch(() => undefined);
  try {
    return await Promise.race([running, overdue]);
  } finally {
    clearInterval(renewals);
    clearTimeout(deadline);
  }
}

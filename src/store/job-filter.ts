import type { EpochSeconds } from '../domain/clock.ts';
import type { ExecutionOutcome, ExecutionState } from '../domain/execution.ts';
import { type Label, labelText } from '../domain/label.ts';
import type { Prisma } from '../generated/prisma/client.ts';
import { toDate } from './moments.ts';

/** Which jobs are meant: those that meet every condition given. */
export interface JobConditions {
  /** The whole name. */
  readonly name?: string;
  /** Every one of them. */
  readonly labels?: readonly Label[];
  readonly states?: readonly ExecutionState[];
  readonly outcomes?: readonly ExecutionOutcome[];
  readonly siteId?: string;
  readonly groupId?: string;
  readonly idempotencyKey?: string;
  /** When they were asked for, from a moment on and before one. */
  readonly submittedAfter?: EpochSeconds;
  readonly submittedBefore?: EpochSeconds;
  /** When they ended, likewise. */
  readonly endedAfter?: EpochSeconds;
  readonly endedBefore?: EpochSeconds;
}

/** The same as the database is asked for it. */
export function jobsWhere(conditions: JobConditions): Prisma.ExecutionWhereInput {
  const { name, labels, states, outcomes, siteId, groupId, idempotencyKey } = conditions;
  const createdAt = between(conditions.submittedAfter, conditions.submittedBefore);
  const endedAt = between(conditions.endedAfter, conditions.endedBefore);
  return {
    ...(name !== undefined && { name }),
    ...(labels && labels.length > 0 && { labels: { hasEvery: labels.map(labelText) } }),
    ...(states && { state: { in: [...states] } }),
    ...(outcomes && { outcome: { in: [...outcomes] } }),
    ...(siteId !== undefined && { siteId }),
    ...(groupId !== undefined && { groupId }),
    ...(idempotencyKey !== undefined && { idempotencyKey }),
    ...(createdAt && { createdAt }),
    ...(endedAt && { endedAt }),
  };
}

function between(from: EpochSeconds | undefined, until: EpochSeconds | undefined) {
  if (from === undefined && until === undefined) return null;
  return {
    ...(from !== undefined && { gte: toDate(from) }),
    ...(until !== undefined && { lt: toDate(until) }),
  };
}

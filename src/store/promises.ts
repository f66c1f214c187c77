import type { Plan } from '../domain/plan.ts';
import type { Db } from './database.ts';
import { type Assignment, createExecution, type NewExecution } from './executions.ts';
import { enqueueWakeUps } from './outbox.ts';
import { type MadeForecast, savePlan } from './plans.ts';
import { createReservation, type NewReservation } from './reservations.ts';

/** Everything that a promise at one site is written down as. */
export interface NewPromise {
  /** The job that keeps it. */
  readonly request: NewExecution;
  readonly assignment: Assignment;
  readonly plan: Plan;
  readonly forecasts: readonly MadeForecast[];
  readonly terms: Omit<NewReservation, 'tenantId' | 'executionId' | 'now'>;
}

/** Writes a promise down with its job and its plan, and wakes the job. */
export async function writePromise(
  tx: Db,
  { request, assignment, plan, forecasts, terms }: NewPromise,
): Promise<{ reservationId: string }> {
  const { tenantId, requestId, now } = request;
  const { id: executionId } = await createExecution(tx, request, assignment);
  await savePlan(tx, executionId, plan, forecasts);
  const { id: reservationId } = await createReservation(tx, { ...terms, tenantId, executionId, now });
  await enqueueWakeUps(tx, [{ kind: 'EXECUTION', targetId: executionId, wakeAt: now, requestId }]);
  return { reservationId };
}

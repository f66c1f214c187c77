import { findExecution } from '../../../src/store/executions.ts';
import { findReservationOf } from '../../../src/store/reservations.ts';
import { listSubmissions } from '../../../src/store/submissions.ts';
import type { SteppedWorld } from './stepped-world.ts';

export const executionOf = (world: SteppedWorld, id: string) => findExecution(world.database.db, id);
export const promiseOf = (world: SteppedWorld, id: string) => findReservationOf(world.database.db, id);
export const attemptsOf = async (world: SteppedWorld, id: string) =>
  (await listSubmissions(world.database.db, id)).map(({ state }) => state);
export const isSettled = (world: SteppedWorld, id: string) => async () =>
  (await executionOf(world, id))?.settledAt !== null;

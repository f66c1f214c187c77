import DataLoader from 'dataloader';
import type { Db } from '../store/database.ts';
import { findGroupPredecessors, findPredecessors, findSuccessors } from '../store/dependencies.ts';
import type { ExecutionRow } from '../store/executions.ts';
import { tallyTasks } from '../store/job-groups.ts';
import { findForecastsOf, findNewestPlans } from '../store/plans.ts';
import { findLegs, findReservationsOf } from '../store/reservations.ts';
import { findCharges } from '../store/scores.ts';
import { findStaged, type StagedForJob } from '../store/stagings.ts';
import { findSubmissions } from '../store/submissions.ts';
import { findTries } from '../store/tries.ts';
import { many, one } from './batches.ts';

/** What belongs to jobs, plans and co-allocations. */
export function partsOfRequests(db: Db) {
  return {
    reservationOf: one(
      (ids) => findReservationsOf(db, ids),
      ({ executionId }) => executionId,
    ),
    planOf: one(
      (ids) => findNewestPlans(db, ids),
      ({ executionId }) => executionId,
    ),
    triesOf: many(
      (ids) => findTries(db, ids),
      ({ executionId }) => executionId,
    ),
    legsOf: many(
      (ids) => findLegs(db, ids),
      ({ coAllocationId }) => coAllocationId,
    ),
    forecastsOf: many(
      (ids) => findForecastsOf(db, ids),
      ({ planId }) => planId,
    ),
    submissionsOf: many(
      (ids) => findSubmissions(db, ids),
      ({ executionId }) => executionId,
    ),
    tasksOf: many(
      (ids) => tallyTasks(db, ids),
      ({ groupId }) => groupId,
    ),
    stagedOf: new DataLoader<ExecutionRow, StagedForJob, string>((rows) => findStaged(db, rows), {
      cacheKeyFn: ({ id }) => id,
    }),
    chargesOf: many(
      (ids) => findCharges(db, ids),
      ({ executionId }) => executionId,
    ),
  };
}

/** What jobs come after, and what comes after them. */
export function orderOfJobs(db: Db) {
  return {
    predecessorsOf: many(
      (ids) => findPredecessors(db, ids),
      ({ executionId }) => executionId,
    ),
    groupsBefore: many(
      (ids) => findGroupPredecessors(db, ids),
      ({ executionId }) => executionId,
    ),
    successorsOf: many(
      (ids) => findSuccessors(db, ids, MOST_SUCCESSORS),
      ({ predecessorId }) => predecessorId,
    ),
  };
}

/** Told of one job. */
const MOST_SUCCESSORS = 100;

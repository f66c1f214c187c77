import 'reflect-metadata';
import { createPubSub } from '@graphql-yoga/subscription';
import { type GraphQLSchema, lexicographicSortSchema, printSchema } from 'graphql';
import { buildSchemaSync, type PubSub } from 'type-graphql';
import { CoAllocationResolver } from './co-allocation/co-allocation.resolver.ts';
import { CoAllocationChangesResolver } from './co-allocation/co-allocation-changes.resolver.ts';
import { JobDirectivesResolver } from './directive/job-directives.resolver.ts';
import { ForecastResolver } from './forecast/forecast.resolver.ts';
import { WalltimeAdviceResolver } from './forecast/walltime-advice.resolver.ts';
import { guardSchema } from './guard-schema.ts';
import { CancelJobsResolver } from './job/cancel-jobs.resolver.ts';
import { JobResolver, SubmissionResolver } from './job/job.resolver.ts';
import { JobAttemptResolver, JobAttemptsResolver } from './job/job-attempts.resolver.ts';
import { JobChangesResolver } from './job/job-changes.resolver.ts';
import { JobLookupResolver } from './job/job-lookup.resolver.ts';
import { JobOrderResolver } from './job/job-order.resolver.ts';
import { JobOutputResolver } from './job/job-output.resolver.ts';
import { JobRequestsResolver, SiteRequestResolver } from './job/job-requests.resolver.ts';
import { JobRuntimeResolver } from './job/job-runtime.resolver.ts';
import { QueuePlaceResolver } from './job/queue-place.resolver.ts';
import { StagedFilesResolver } from './job/staged-files.resolver.ts';
import { SubmitNowResolver } from './job/submit-now.resolver.ts';
import { JobGroupResolver } from './job-group/job-group.resolver.ts';
import { JobGroupChangesResolver } from './job-group/job-group-changes.resolver.ts';
import { OperationsResolver } from './operations/operations.resolver.ts';
import { FinishAtSizeResolver, PlanCandidateResolver, PlanResolver } from './plan/plan.resolver.ts';
import { ReservationResolver } from './reservation/reservation.resolver.ts';
import { ReservationChangesResolver } from './reservation/reservation-changes.resolver.ts';
import { ReservationOfferResolver } from './reservation/reservation-offer.resolver.ts';
import { PredictorScoreResolver } from './score/predictor-score.resolver.ts';
import { NodeResolver } from './shared/node.resolver.ts';
import { ImportResolver } from './site/import.resolver.ts';
import { SiteResolver } from './site/site.resolver.ts';
import { SiteChangesResolver } from './site/site-changes.resolver.ts';
import { SiteDefaultsResolver } from './site/site-defaults.resolver.ts';
import { SiteIdentitiesResolver } from './site/site-identities.resolver.ts';
import { SiteRecordResolver } from './site/site-record.resolver.ts';
import { ViewerResolver } from './viewer/viewer.resolver.ts';

const RESOLVERS = [
  NodeResolver,
  ViewerResolver,
  SiteResolver,
  SiteChangesResolver,
  SiteDefaultsResolver,
  SiteIdentitiesResolver,
  SiteRecordResolver,
  ImportResolver,
  ForecastResolver,
  WalltimeAdviceResolver,
  PlanResolver,
  FinishAtSizeResolver,
  PlanCandidateResolver,
  JobResolver,
  JobChangesResolver,
  JobLookupResolver,
  JobAttemptsResolver,
  JobAttemptResolver,
  CancelJobsResolver,
  JobOrderResolver,
  JobDirectivesResolver,
  JobRequestsResolver,
  SiteRequestResolver,
  JobOutputResolver,
  StagedFilesResolver,
  JobRuntimeResolver,
  QueuePlaceResolver,
  SubmitNowResolver,
  SubmissionResolver,
  JobGroupResolver,
  JobGroupChangesResolver,
  ReservationResolver,
  ReservationChangesResolver,
  ReservationOfferResolver,
  CoAllocationResolver,
  CoAllocationChangesResolver,
  PredictorScoreResolver,
  OperationsResolver,
] as const;

/** The whole schema. Inputs are judged by the commands, so that every caller of them gets the same errors. */
export function buildApiSchema(): GraphQLSchema {
  const schema = buildSchemaSync({
    resolvers: RESOLVERS,
    validate: false,
    // The library wants one to build subscriptions with; each of ours brings its own source.
    pubSub: createPubSub<Record<string, [unknown]>>() as unknown as PubSub,
  });
  return guardSchema(schema);
}

/** The schema as it is committed in schema.graphql, in alphabetical order. */
export function printApiSchema(): string {
  return `${printSchema(lexicographicSortSchema(buildApiSchema()))}\n`;
}

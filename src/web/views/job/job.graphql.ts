import { graphql, type ResultOf } from '../../api/graphql.ts';

const FORECAST_BOUNDS = graphql(`
  fragment ForecastBounds on WaitForecast @_unmask {
    predictor madeAt observedAt sampleSize stale pointSeconds
    p025: boundSeconds(probability: 0.025) p05: boundSeconds(probability: 0.05) p10: boundSeconds(probability: 0.1)
    p20: boundSeconds(probability: 0.2) p30: boundSeconds(probability: 0.3) p40: boundSeconds(probability: 0.4)
    p50: boundSeconds(probability: 0.5) p60: boundSeconds(probability: 0.6) p70: boundSeconds(probability: 0.7)
    p80: boundSeconds(probability: 0.8) p90: boundSeconds(probability: 0.9) p95: boundSeconds(probability: 0.95)
    p975: boundSeconds(probability: 0.975)
    outsideKnownRange { explanation }
  }
`);

const CANDIDATE = graphql(`
  fragment Candidate on PlanCandidate @_unmask {
    site { id name } queue processors walltimeSeconds submitAt responseSeconds risk lostBecause explanation
    forecast { pointSeconds ageSeconds }
    charge { neededProcessorSeconds expectedPaddingProcessorSeconds worstPaddingProcessorSeconds }
  }
`);

/** Everything that is shown of one job. */
export const JOB = graphql(
  `query Job($id: ID!) {
    job(id: $id) {
      id name state outcome reason owner processors walltimeSeconds submittedWalltimeSeconds queue arguments nativeId
      createdAt submitAt submittedAt startedAt endedAt waitSeconds exitCode heldBackSince cancelRequestedAt expectedEndAt
      siteReason siteEstimatedStartAt requestId scriptHash
      labels { name value }
      site { id name state stale observedAt }
      queuePlace { ahead processorsAhead waiting observedAt }
      submissions { key state intendedAt resolvedAt nativeId siteSays site { name } }
      charges { kind processorSeconds chargedAt }
      deadline { at probability promisedProbability currentProbability kept missedAt }
      reservation {
        id state startAt probability promisedProbability currentProbability recomputedAt decidedAt
        expectedPaddingProcessorSeconds
      }
      plan { madeAt revision submitAt objective chosen { site { id } queue forecast { ...ForecastBounds } } candidates { ...Candidate } }
    }
  }`,
  [FORECAST_BOUNDS, CANDIDATE],
);

/** That this job has changed. */
export const THIS_JOB_CHANGED = graphql(`subscription ThisJobChanged($id: ID!) { jobChanged(id: $id) { id state } }`);

/** Asks for a job to be cancelled. */
export const CANCEL_JOB = graphql(`
  mutation CancelJob($id: ID!, $key: String!) {
    cancelJob(input: { id: $id, idempotencyKey: $key }) { userErrors { message } }
  }
`);

export type JobDetail = NonNullable<ResultOf<typeof JOB>['job']>;
export type CandidateRow = ResultOf<typeof CANDIDATE>;
type Bounds = ResultOf<typeof FORECAST_BOUNDS>;

const LEVELS = [0.025, 0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.975];

/** The bounds of a forecast that history supports, in the order of probability. */
export function boundsOf(forecast: Bounds): { probability: number; seconds: number }[] {
  const { p025, p05, p10, p20, p30, p40, p50, p60, p70, p80, p90, p95, p975 } = forecast;
  return [p025, p05, p10, p20, p30, p40, p50, p60, p70, p80, p90, p95, p975].flatMap((seconds, index) =>
    seconds === null ? [] : [{ probability: LEVELS[index] ?? 1, seconds }],
  );
}

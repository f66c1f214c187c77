import { graphql, type ResultOf } from '../../api/graphql.ts';

const JOB_ROW = graphql(`
  fragment JobRow on Job @_unmask {
    id name state outcome reason owner idempotencyKey processors walltimeSeconds queue
    site { id name }
    labels { name value }
    createdAt submitAt submittedAt startedAt endedAt waitSeconds
  }
`);

/** A page of jobs, newest first. */
export const JOBS = graphql(
  `query Jobs($first: Int!, $after: String, $filter: JobFilterInput, $text: String, $includeReserved: Boolean!) {
    jobs(first: $first, after: $after, filter: $filter, text: $text, includeReserved: $includeReserved) {
      totalCount
      pageInfo { endCursor hasNextPage }
      edges { node { ...JobRow } }
    }
  }`,
  [JOB_ROW],
);

/** Every change of any job of the tenant. */
export const JOB_CHANGED = graphql(`subscription JobsChanged { jobChanged { ...JobRow reservation { id } } }`, [
  JOB_ROW,
]);

/** Counts jobs, or cancels them. */
export const CANCEL_JOBS = graphql(`
  mutation CancelJobs($input: CancelJobsInput!) { cancelJobs(input: $input) { matched userErrors { message } } }
`);

/** The sites that filters choose from. */
export const SITE_NAMES = graphql(`query SiteNames { sites { id name } }`);

/** Every change of any site. */
export const SITE_CHANGED = graphql(`subscription SitesChanged { siteChanged { id } }`);

export type JobRow = ResultOf<typeof JOB_ROW>;

import { graphql, type ResultOf } from '../../api/graphql.ts';

/** What a site is and does now, and what it showed of its queue. */
export const SITE = graphql(`
  query Site($id: ID!) {
    viewer { role }
    site(id: $id) {
      id name adapter state stale observedAt removedAt fault processors usableProcessors freeProcessors waitingJobs
      runningJobs learning records tags clockSkewSeconds
      openBreakers { service openedAt fault }
      promises { decided kept promised }
      queues { name isDefault maxProcessors maxWalltimeSeconds processors usableProcessors barredTerm unusableBecause }
      maintenance { startAt endAt processors reason }
      observations(last: 500) { observedAt processors freeProcessors waitingJobs waitingProcessors runningJobs }
      downTime { isDown suspendedAt evidence { sign sinceAt explanation } }
      model { ownerId ownedSeconds costSeconds checkpoint checkpointAgeSeconds fault }
    }
  }
`);

/** How long jobs of some sizes and walltimes would wait. */
export const SITE_WAITS = graphql(`
  query SiteWaits($id: ID!, $processors: [Int!]!, $walltimeSeconds: [Int!]!) {
    site(id: $id) {
      id
      waitsBySize(processors: $processors, walltimeSeconds: $walltimeSeconds) {
        processors walltimeSeconds explanation
        forecast { predictor observedAt p50: boundSeconds(probability: 0.5) p95: boundSeconds(probability: 0.95) }
      }
    }
  }
`);

/** How its predictors have done. */
export const SITE_RECORD = graphql(`
  query SiteRecord($id: ID!) {
    site(id: $id) {
      id
      scores {
        quantity predictor count meanAbsoluteErrorSeconds meanAbsoluteErrorBytes meanAbsoluteErrorProcessors coverage95
        promises promisedProbability keptShare brierScore
      }
      reliability { quantity predictor stated observed count }
      scoreDays(days: 30) {
        startsAt quantity predictor count meanAbsoluteError coverage95 promises promisedProbability keptShare
      }
    }
  }
`);

/** The load that is expected to arrive; null for who may not see it. */
export const SITE_LOAD = graphql(`
  query SiteLoad($id: ID!) {
    site(id: $id) {
      id
      loadForecast(hours: 24) {
        predictor madeAt
        slots { startsAt processors p50: processorsAtMost(probability: 0.5) p95: processorsAtMost(probability: 0.95) }
      }
    }
  }
`);

/** This site was observed, or changed otherwise. */
export const THIS_SITE_CHANGED = graphql(`subscription ThisSiteChanged($id: ID) { siteChanged(id: $id) { id } }`);

/** Takes a site its new work, or gives it back. */
export const DRAIN_SITE = graphql(`
  mutation DrainSite($id: ID!, $drain: Boolean!, $key: String!) {
    drainSite(input: { id: $id, drain: $drain, idempotencyKey: $key }) { site { id state } userErrors { message } }
  }
`);

export type SiteDetail = NonNullable<ResultOf<typeof SITE>['site']>;
export type SiteRecord = NonNullable<ResultOf<typeof SITE_RECORD>['site']>;
export type SizedWait = NonNullable<ResultOf<typeof SITE_WAITS>['site']>['waitsBySize'][number];

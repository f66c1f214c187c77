import { graphql, type ResultOf } from '../../api/graphql.ts';

/** How the deployment runs now. */
export const OPERATIONS = graphql(`
  query Operations {
    operations {
      jobs { state count }
      workerQueues { kind due lagSeconds underWay }
      outbox { count oldestSeconds }
      ends { site outcome count }
      tokens(last: 200) { id tenant principal role isGood createdAt lastUsedAt expiresAt revokedAt }
    }
    sites {
      id name state stale observedAt fault
      openBreakers { service }
      downTime { isDown suspendedAt evidence { explanation } }
      model { fault }
    }
  }
`);

/** The charge ledger, which is worked out. */
export const LEDGER = graphql(`
  query Ledger { operations { charges(months: 12) { monthStartsAt tenant kind processorSeconds count } } }
`);

export type OperationsNow = NonNullable<ResultOf<typeof OPERATIONS>['operations']>;
export type SiteNow = ResultOf<typeof OPERATIONS>['sites'][number];
export type LedgerRow = NonNullable<ResultOf<typeof LEDGER>['operations']>['charges'][number];

import type { EpochSeconds } from '../domain/clock.ts';
import type { FaultCode } from '../domain/failures.ts';
import type { CandidateIdentity } from '../domain/plan.ts';
import type { Refusal } from '../domain/refusal.ts';
import { userOf } from '../domain/site-identity.ts';
import type { SiteDefaults } from '../domain/site-requests.ts';
import type { Db } from './database.ts';
import { checksOf, type IdentityCheckRow, identityFaultOf } from './identities.ts';
import { findTenantName } from './principals.ts';
import { refusalsOf } from './refusals.ts';
import { sharedRead } from './shared-read.ts';
import { type DefaultColumns, defaultsOf, mergedDefaults } from './site-defaults.ts';
import { USUAL_STAGED_RATE } from './staged-rates.ts';

/** What holds at the sites for the jobs of one tenant in particular. */
export interface Standing {
  /** What sites refuse to it at present. */
  readonly refusals: readonly Refusal[];
  /** What admins have set there of jobs that do not say it, by the sites' ids. */
  readonly defaults: ReadonlyMap<string, SiteDefaults>;
  /** At which files are moved to sites, of those to which none was yet; null or absent where none was to any. */
  readonly usualStagedBytesPerSecond?: number | null;
  /** As whom its jobs come to a site; absent of nobody in particular. */
  identityAt?(site: { readonly id: string; readonly configuration: unknown }): CandidateIdentity;
}

/** Of no tenant in particular. */
export const NOBODY: Standing = { refusals: [], defaults: new Map() };

/** The same as it is at a moment. */
export const loadStanding: (db: Db, tenantId: string, now: EpochSeconds) => Promise<Standing> = sharedRead(
  (tenantId) => tenantId,
  readStanding,
);

async function readStanding(db: Db, tenantId: string, now: EpochSeconds): Promise<Standing> {
  const tenant = await findTenantName(db, tenantId);
  const [found] = await db.$queryRaw<FoundStanding[]>`
    SELECT (SELECT jsonb_agg(r) FROM (${refusalsOf(tenantId, now)}) r) AS "refusals",
           (SELECT jsonb_agg(d) FROM (${defaultsOf(tenant)}) d) AS "defaults",
           (SELECT jsonb_agg(c) FROM (${checksOf(tenant)}) c) AS "checks",
           (${USUAL_STAGED_RATE}) AS "stagedRate"`;
  const checks = found?.checks ?? [];
  return {
    refusals: found?.refusals ?? [],
    defaults: mergedDefaults(found?.defaults ?? []),
    usualStagedBytesPerSecond: found?.stagedRate ?? null,
    identityAt: ({ id, configuration }) => {
      const user = userOf(configuration, tenant);
      const check = checks.find((one) => one.siteId === id && one.user === user);
      const fault = check ? identityFaultOf(check) : null;
      return { tenant, user, fault: fault !== null && OF_THE_ACCOUNT.includes(fault) ? fault : null };
    },
  };
}

/** Null where there are none. */
interface FoundStanding {
  readonly refusals: Refusal[] | null;
  readonly defaults: DefaultColumns[] | null;
  readonly checks: Pick<IdentityCheckRow, 'siteId' | 'user' | 'fault'>[] | null;
  readonly stagedRate: number | null;
}

/** What is wrong with an account itself, and not with the way to its site. */
const OF_THE_ACCOUNT: readonly FaultCode[] = ['AUTHENTICATION', 'MISCONFIGURED'];

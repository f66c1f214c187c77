import type { EpochSeconds } from '../domain/clock.ts';
import type { WaitQuery } from '../domain/forecast.ts';
import { amountsOf } from '../domain/job.ts';
import type { CandidateSite } from '../domain/plan.ts';
import { userOf } from '../domain/site-identity.ts';
import { sizeAt } from '../plan/job/size-at-site.ts';
import type { Db } from '../store/database.ts';
import { type ExecutionRow, type KeptProgram, readProgram } from '../store/executions.ts';
import { resourcesOf } from '../store/plan-requests.ts';
import { findTenantName } from '../store/principals.ts';
import { asCandidate, type SiteRow } from '../store/sites.ts';
import { NOBODY } from '../store/standing.ts';

/** An execution that has a site, as forecasters are asked about it. */
export interface AskedJob {
  /** With the processors that it asks for, as runtimes are forecast. */
  readonly work: WaitQuery;
  /** As large as it is at its site, as waits are. */
  readonly atSite: WaitQuery;
}

/** A site in the planner's words, to which the jobs of a tenant come as its own user where it has one there. */
export async function candidateFor(
  db: Db,
  { tenantId }: Pick<ExecutionRow, 'tenantId'>,
  site: SiteRow,
): Promise<CandidateSite> {
  const tenant = await findTenantName(db, tenantId);
  const identityAt = () => ({ tenant, user: userOf(site.configuration, tenant), fault: null });
  return asCandidate(site, { ...NOBODY, identityAt });
}

/** What an execution runs and how large it is, as promises of it are asked for. */
export async function promisedWork(
  db: Db,
  execution: KeptProgram & Pick<ExecutionRow, 'processors' | 'resources' | 'walltimeSeconds'>,
) {
  const { processors, walltimeSeconds } = execution;
  const program = await readProgram(db, execution);
  return { processors, walltimeSeconds, resources: resourcesOf(execution), program };
}

/** The question that an execution is in the queue of its site that it went to, were it submitted at a moment. */
export async function askedJob(
  db: Db,
  execution: KeptProgram &
    Pick<ExecutionRow, 'tenantId' | 'siteQueue' | 'processors' | 'resources' | 'walltimeSeconds'>,
  site: SiteRow,
  submitAt: EpochSeconds,
): Promise<AskedJob> {
  const { siteQueue: queue, processors, walltimeSeconds: requestedWalltimeSeconds } = execution;
  const candidate = await candidateFor(db, execution, site);
  const facts = candidate.queues.find(({ name }) => name === queue) ?? null;
  const size = sizeAt({ processors, resources: resourcesOf(execution) }, facts, candidate);
  const program = await readProgram(db, execution);
  const user = candidate.identity?.user ?? null;
  const work = { queue, processors, requestedWalltimeSeconds, user, program, submitAt, ...amountsOf(size) };
  return { work, atSite: { ...work, processors: size.processors } };
}

import type { EpochSeconds } from '../../domain/clock.ts';
import type { AutoWalltime, PlanRequest } from '../../domain/plan.ts';
import { askOptions } from '../../forecast/forecast-options.ts';
import { whyNotAtSite } from '../../plan/job/ineligible.ts';
import { optionsOf } from '../../plan/job/options.ts';
import { loadCandidates } from '../../store/candidates.ts';
import type { AskedChoices } from '../../store/plan-requests.ts';
import type { Principal } from '../../store/principals.ts';
import type { SiteRow } from '../../store/sites.ts';
import type { CommandContext } from '../carry-out/context.ts';
import type { Placement } from '../input/placement.ts';
import { asksOf, type ProgramInput, type SizeInput, toProgram } from '../input/work-input.ts';
import { AUTO_FIELDS } from './advised-walltimes.ts';
import { allowedSites, type IneligibleSite, mayPass, noEligibleSite } from './eligible-sites.ts';
import { findUntakable } from './untakable.ts';

/** A job as far as it says who may take it. */
interface PlannedInput extends SizeInput, Placement, ProgramInput {
  readonly maxChargeProcessorSeconds?: number | null;
  readonly auto?: AutoWalltime;
  readonly deadlineAt: EpochSeconds | null;
}

/**
 * The walltime to write down: the one that is stated, of an automatic one the longest that is advised at a site that
 * may take it.
 * @throws CallerError when no site could ever take the job
 */
export async function takenWalltime(
  context: CommandContext,
  principal: Principal,
  input: PlannedInput,
  choices: AskedChoices,
  now: EpochSeconds,
): Promise<number> {
  const sites = await allowedSites(context.database.db, input, 'input');
  const { processors, walltimeSeconds, resources, auto = null, queue, requiredTags = [], deadlineAt } = input;
  const work = { processors, walltimeSeconds, resources, auto, ...asksOf(input), ...toProgram(input) };
  const { maxChargeProcessorSeconds = null } = input;
  const terms = { requiredTags, maxChargeProcessorSeconds };
  const request: PlanRequest = { ...work, queue, ...terms, deadlineAt, ...choices };
  const takers = await findTakers(context, principal, sites, request, now);
  if (takers.walltimeSeconds === null) throw noEligibleSite(takers.ineligible, 'input', auto ? AUTO_FIELDS : {});
  return auto ? takers.walltimeSeconds : walltimeSeconds;
}

/** Who may take a job in some way, now or later, and who never will. */
interface Takers {
  /** The longest walltime that it may be given at one of them; null where there is none. */
  readonly walltimeSeconds: number | null;
  /** Why the others do not take it as it is stated, in their usual queue. */
  readonly ineligible: readonly IneligibleSite[];
}

/**
 * Looks for sites that may take a request in any of its ways. Forecasts are asked for only where a walltime hangs on
 * them.
 */
async function findTakers(
  { database: { db }, forecaster, limits }: CommandContext,
  principal: Principal,
  sites: readonly SiteRow[],
  request: PlanRequest,
  now: EpochSeconds,
): Promise<Takers> {
  const owner = { tenantId: principal.tenantId, principalId: principal.id };
  const candidates = await loadCandidates(db, owner, request, sites, now);
  const isAsked = request.auto || request.sizes;
  const options = isAsked
    ? await askOptions(forecaster, request, candidates, now)
    : optionsOf(request, candidates, now);
  const ineligible: IneligibleSite[] = [];
  let walltimeSeconds: number | null = null;
  for (const site of sites) {
    const judged = options
      .filter((option) => option.site.siteId === site.id)
      .map((option) => ({ option, why: findUntakable(option, request, now, limits.staleAfterSeconds) }));
    const takes = judged.filter(({ why }) => why === null || mayPass({ ineligibility: why }));
    for (const { option } of takes) walltimeSeconds = Math.max(walltimeSeconds ?? 0, option.walltimeSeconds);
    const [first] = judged;
    if (takes.length > 0 || !first?.why) continue;
    ineligible.push({ site, ineligibility: whyNotAtSite(first.why, first.option, request) });
  }
  return { walltimeSeconds, ineligible };
}

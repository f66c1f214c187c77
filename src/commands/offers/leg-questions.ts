import type { EpochSeconds } from '../../domain/clock.ts';
import type { PartQuestion } from '../../forecast/forecaster.ts';
import { loadMargins } from '../../forecast/margins.ts';
import { questionAt } from '../../forecast/reservation-question.ts';
import { promisableOfLegs } from '../../plan/aim.ts';
import type { CommandContext } from '../carry-out/context.ts';
import type { CoAllocationTerms } from '../input/co-allocation-terms.ts';
import { toProgram } from '../input/work-input.ts';
import type { EligibleSite } from './eligible-sites.ts';
import type { LegChoice } from './leg-choices.ts';

/** What may be promised of each forecast of a leg in whole percent, by site. */
export async function promisableBySite(
  { database }: CommandContext,
  choices: readonly EligibleSite[],
): Promise<ReadonlyMap<string, readonly number[]>> {
  const siteIds = [...new Set(choices.map(({ site }) => site.id))];
  const tables = siteIds.map(async (id) => {
    const { ofLeg } = await loadMargins(database.db, id);
    return [id, promisableOfLegs(ofLeg)] as const;
  });
  return new Map(await Promise.all(tables));
}

/** What is asked of each leg at each site that may take it. */
export function questionsOf(
  choices: readonly LegChoice[],
  { startAt, probability }: CoAllocationTerms,
  promisable: ReadonlyMap<string, readonly number[]>,
  now: EpochSeconds,
): PartQuestion[] {
  const common = { startAt, probability, mode: 'HOLD', windowOpensAt: null } as const;
  const programs = new Map([...new Set(choices.map(({ leg }) => leg))].map((leg) => [leg, toProgram(leg)]));
  return choices.map(({ leg, queue, site, candidate }) => {
    const { maxPaddingProcessorSeconds = null } = leg;
    const terms = { ...leg, ...common, maxPaddingProcessorSeconds, ...programs.get(leg) };
    const question = questionAt(terms, queue, candidate, 0, now);
    return { partId: leg.legId, siteId: site.id, leg: question, promisable: promisable.get(site.id) ?? [] };
  });
}

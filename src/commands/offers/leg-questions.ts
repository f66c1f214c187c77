import type { EpochSeconds } from '../../domain/clock.ts';
import type { PartQuestion } from '../../forecast/forecaster.ts';
import { loadMargins } from '../../forecast/margins.ts';
import { questionAt } from '../../forecast/reservation-question.ts';
import type { CommandContext } from '../carry-out/context.ts';
import type { CoAllocationTerms } from '../input/co-allocation-terms.ts';
import { toProgram } from '../input/work-input.ts';
import type { EligibleSite } from './eligible-sites.ts';
import type { LegChoice } from './leg-choices.ts';

/** How far above a promise to aim, by site. */
export async function marginsOf(
  { database }: CommandContext,
  choices: readonly EligibleSite[],
  probability: number,
): Promise<ReadonlyMap<string, number>> {
  const siteIds = [...new Set(choices.map(({ site }) => site.id))];
  const margins = siteIds.map(async (id) => [id, (await loadMargins(database.db, id))(probability)] as const);
  return new Map(await Promise.all(margins));
}

/** What is asked of each leg at each site that may take it. */
export function questionsOf(
  choices: readonly LegChoice[],
  { startAt, probability }: CoAllocationTerms,
  margins: ReadonlyMap<string, number>,
  now: EpochSeconds,
): PartQuestion[] {
  const common = { startAt, probability, mode: 'HOLD', windowOpensAt: null } as const;
  const programs = new Map([...new Set(choices.map(({ leg }) => leg))].map((leg) => [leg, toProgram(leg)]));
  return choices.map(({ leg, queue, site, candidate }) => {
    const { maxPaddingProcessorSeconds = null } = leg;
    const terms = { ...leg, ...common, maxPaddingProcessorSeconds, ...programs.get(leg) };
    const question = questionAt(terms, queue, candidate, margins.get(site.id) ?? 0, now);
    return { partId: leg.legId, siteId: site.id, leg: question };
  });
}

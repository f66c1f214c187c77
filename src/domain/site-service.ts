import type { EpochSeconds } from './clock.ts';
import type { FaultCode } from './failures.ts';

/** How one process stands to one service of a site, say its scheduler or its accounting. */
export interface ServiceStanding {
  readonly service: string;
  /**
   * For how long it has been left alone, but for a try now and then, because its last calls failed; null while it is
   * asked.
   */
  readonly leftAloneSeconds: number | null;
  /** What its last failure was; null before the first. */
  readonly code: FaultCode | null;
  /** How long ago it last gave an answer, a refusal among them; null before the first. */
  readonly answeredSeconds: number | null;
}

/** A service of a site whose circuit breaker is open: it is left alone. */
export interface OpenBreaker {
  readonly service: string;
  readonly openedAt: EpochSeconds;
  readonly code: FaultCode;
}

/**
 * The services that are left alone, by what was known before and by how the process stands to them that has just looked
 * at the site. A breaker is each process's own, so one that another process opened stays until the service answers.
 * @param now on the service's clock, of the same moment as the standings
 */
export function openBreakersAfter(
  before: readonly OpenBreaker[],
  standings: readonly ServiceStanding[],
  now: EpochSeconds,
): OpenBreaker[] {
  const known = new Map(before.map((breaker) => [breaker.service, breaker]));
  for (const { service, leftAloneSeconds, answeredSeconds, code } of standings) {
    const open = known.get(service);
    if (leftAloneSeconds !== null) {
      const openedAt = open?.openedAt ?? now - leftAloneSeconds;
      known.set(service, { service, openedAt, code: code ?? open?.code ?? 'UNREACHABLE' });
    } else if (open && answeredSeconds !== null && now - answeredSeconds > open.openedAt) known.delete(service);
  }
  return [...known.values()].sort((left, right) => (left.service < right.service ? -1 : 1));
}

import type { EpochSeconds } from '../domain/clock.ts';
import type { CandidateSite, LossReason, PlanRequest } from '../domain/plan.ts';
import type { MaintenanceWindow, QueueFacts } from '../domain/site.ts';

/** Why a site cannot take a request, in a word and in a sentence with its figures. */
export interface Ineligibility {
  readonly reason: LossReason;
  readonly explanation: string;
}

/**
 * What the site itself says against a request for now: its queue is down or not for us, too few of its processors are in service, or
 * it has announced a maintenance. Null when nothing.
 */
export function findUnusable(
  request: PlanRequest,
  queue: QueueFacts | null,
  site: CandidateSite,
  now: EpochSeconds,
): Ineligibility | null {
  return barred(queue, site) ?? tooFewUsable(request, site) ?? meetsMaintenance(request, site, now);
}

function barred(queue: QueueFacts | null, { name }: CandidateSite): Ineligibility | null {
  if (!queue?.bar) return null;
  const where = `queue ${queue.name} of ${name}`;
  const says = queue.unusableBecause ?? 'the site does not say why';
  return queue.bar === 'DOWN'
    ? { reason: 'QUEUE_DOWN', explanation: `${where} starts no jobs: ${says}` }
    : { reason: 'QUEUE_FORBIDDEN', explanation: `${where} takes none of our jobs: ${says}` };
}

function tooFewUsable({ processors }: PlanRequest, { name, usableProcessors }: CandidateSite): Ineligibility | null {
  const usable = usableProcessors ?? Number.POSITIVE_INFINITY;
  if (processors <= usable) return null;
  const explanation = `${processors} processors asked for, ${name} has ${usable} in service`;
  return { reason: 'TOO_FEW_USABLE', explanation };
}

/**
 * A promise is kept by a job that may be handed over at any moment from now on and whose limit reaches to the end of the work: batch
 * systems start no job whose limit runs into a maintenance. So every window before the end of the work counts.
 */
function meetsMaintenance(request: PlanRequest, site: CandidateSite, now: EpochSeconds): Ineligibility | null {
  const { startAt, processors, walltimeSeconds } = request;
  if (startAt === undefined) return null;
  const endAt = startAt + walltimeSeconds;
  const met = (site.maintenance ?? []).find((window) => {
    return window.startAt < endAt && window.endAt > now && processors > leftBy(window, site);
  });
  if (!met) return null;
  const [from, to] = [met.startAt, met.endAt].map((at) => new Date(at * 1000).toISOString());
  const whole = met.processors === null ? 'all processors' : `${met.processors} processors`;
  const explanation = `${site.name} has set ${whole} aside from ${from} to ${to} (${met.reason}), before the end of the work`;
  return { reason: 'MAINTENANCE', explanation };
}

/** Processors that a window leaves to jobs. */
function leftBy(window: MaintenanceWindow, { processors, usableProcessors }: CandidateSite): number {
  return window.processors === null ? 0 : Math.max(0, (usableProcessors ?? processors) - window.processors);
}

import type { EpochSeconds } from '../domain/clock.ts';
import { amountsOf } from '../domain/job.ts';
import type { SizedRequest } from '../domain/node-placement.ts';
import type { CandidateSite } from '../domain/plan.ts';
import type { Program } from '../domain/program.ts';
import type { ReservationMode } from '../domain/reservation.ts';
import type { QueueFacts } from '../domain/site.ts';
import { sizeAt } from '../plan/job/size-at-site.ts';
import { earliestSubmission } from '../plan/unusable.ts';
import type { ReservationQuestion } from './forecaster.ts';

/** What has to run when, how surely, and what holding its processors may cost. */
export interface ReservationTerms {
  readonly processors: number;
  /** What the site bills for each second of it, in processors; as many as it asks for unless told. */
  readonly billedProcessors?: number | null | undefined;
  readonly walltimeSeconds: number;
  readonly startAt: EpochSeconds;
  /** Wanted probability of running at `startAt`, within (0, 1); null for the most there is. */
  readonly probability: number | null;
  readonly mode: ReservationMode;
  /** With mode `WINDOW`, the earliest moment at which the work may begin; null otherwise. */
  readonly windowOpensAt: EpochSeconds | null;
  /** Padding paid at most in the worst case; null for any. */
  readonly maxPaddingProcessorSeconds: number | null;
  /** Padding paid at most on average, were it billed by processors; any unless told. */
  readonly maxExpectedPaddingProcessorSeconds?: number | null;
  /** How much of that has been paid for processors that were given back; nothing unless told. */
  readonly releasedProcessorSeconds?: number;
  /** What it runs; absent where that is not told. */
  readonly program?: Program | undefined;
  /** As whom it comes to the site; nobody in particular unless told. */
  readonly user?: string | null;
  /** As of a job's request. */
  readonly gpus?: number | undefined;
  readonly memoryMebibytes?: number | undefined;
}

/**
 * The terms as the forecaster of a site is asked about them, when they are promised and whenever they are looked at
 * again.
 * @param queue the queue it goes to; null where the site names none
 * @param margin how far above the promise to aim there, from `loadMargins`
 */
export function reservationQuestion(
  terms: ReservationTerms,
  queue: Pick<QueueFacts, 'name' | 'maxWalltimeSeconds'> | null,
  margin: number,
  now: EpochSeconds,
): ReservationQuestion {
  const { processors, walltimeSeconds, startAt, probability, mode, windowOpensAt, program } = terms;
  const billedProcessors = terms.billedProcessors ?? processors;
  const left = (most: number | null) => (most === null ? null : most - (terms.releasedProcessorSeconds ?? 0));
  const usual = terms.maxExpectedPaddingProcessorSeconds ?? null;
  const padding = left(terms.maxPaddingProcessorSeconds);
  return {
    queue: queue?.name ?? null,
    processors,
    billedProcessors,
    walltimeSeconds,
    user: terms.user ?? null,
    ...amountsOf(terms),
    ...(program && { program }),
    startAt,
    windowOpensAt,
    mode,
    probability,
    margin,
    maxChargeProcessorSeconds: padding === null ? null : padding + billedProcessors * walltimeSeconds,
    maxExpectedPaddingProcessorSeconds: left(usual === null ? null : (usual * billedProcessors) / processors),
    maxWalltimeSeconds: queue?.maxWalltimeSeconds ?? null,
    now,
  };
}

/**
 * The same of a job in a queue of a site, as large as it is there and as whoever it comes to it, from the first moment
 * at which it may be handed over.
 * @param queue null for a site without queues
 * @param from not before that
 */
export function questionAt(
  terms: ReservationTerms & SizedRequest,
  queue: QueueFacts | null,
  site: CandidateSite,
  margin: number,
  from: EpochSeconds,
): ReservationQuestion {
  const firstAt = earliestSubmission({ ...terms, queue: queue?.name ?? null }, site, from);
  const asked = { ...terms, ...sizeAt(terms, queue, site), user: site.identity?.user ?? null };
  return reservationQuestion(asked, queue, margin, firstAt);
}

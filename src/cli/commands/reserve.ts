import { formatSeconds } from '../../domain/duration.ts';
import type {
  BestOfferAnswer,
  ChargeForecastAnswer,
  OutsideAnswer,
  Payload,
  PointAnswer,
  ReservationAnswer,
} from '../client/answers.ts';
import { DOCUMENTS } from '../client/documents.ts';
import { CliFailure, EXIT, failureOf } from '../failure.ts';
import { directedInput, sayWarnings } from '../parse/directives.ts';
import type { Moment } from '../parse/moment.ts';
import { parseWord } from '../parse/work.ts';
import { percent, renderReservation, warningOf } from '../render/objects.ts';
import { formatMoment, formatProcessorHours } from '../render/time.ts';
import { renderTrajectory } from '../render/trajectory.ts';
import { type Session, toServerMoment } from '../session.ts';
import type { WorkOptions } from './submit.ts';

interface ReserveOptions extends WorkOptions {
  readonly at: Moment;
  readonly probability: number;
  readonly mode: string;
  readonly windowOpens?: Moment;
  readonly ifMissed?: string;
  readonly maxPadding?: number;
  readonly dryRun?: boolean;
}

interface OfferAnswer {
  readonly kind: 'PROMISE' | 'REFUSAL';
  readonly reason: string | null;
  readonly promisedProbability: number;
  readonly outsideKnownRange: OutsideAnswer | null;
  readonly site: { readonly name: string };
  readonly point: PointAnswer | null;
  readonly charge: ChargeForecastAnswer | null;
  readonly trajectory: readonly PointAnswer[];
}

/** `gridcast reserve SCRIPT [ARGUMENTS...]` */
export async function runReserve(
  session: Session,
  options: ReserveOptions,
  script = '',
  ...args: string[]
): Promise<void> {
  const { client } = session;
  const terms = {
    ...(await directedInput(client, options, script, args)),
    startAt: (await toServerMoment(client, options.at)) ?? '',
    probability: options.probability,
    mode: parseWord('mode', options.mode, ['HOLD', 'WINDOW', 'BEST_EFFORT']),
    windowOpensAt: await toServerMoment(client, options.windowOpens),
    maxPaddingProcessorSeconds: options.maxPadding ?? null,
  };
  if (options.dryRun) return showOffer(session, terms);
  const input = {
    ...terms,
    ...(options.ifMissed && { ifMissed: parseWord('if-missed', options.ifMissed, ['RUN_LATE', 'CANCEL']) }),
    idempotencyKey: options.key ?? null,
  };
  const { reserve } = await client.request<{
    reserve: Payload<'reservation', ReservationAnswer> & {
      readonly bestOffer: BestOfferAnswer | null;
      readonly warnings: readonly string[] | null;
    };
  }>(DOCUMENTS.reserve, { input });
  const failure = failureOf(reserve.userErrors);
  if (failure) throw withBestOffer(failure, reserve.bestOffer, terms.startAt);
  sayWarnings(reserve.warnings);
  const { reservation } = reserve;
  session.output.result(reservation, () => (reservation ? renderPromise(reservation) : ''));
}

/** A new promise: its facts and its trajectory. */
export function renderPromise(reservation: ReservationAnswer): string {
  const { trajectory, submitAt, startAt } = reservation;
  return `${renderReservation(reservation)}\n\n${renderTrajectory(trajectory, submitAt, startAt)}`;
}

async function showOffer({ client, output }: Session, input: { startAt: string }): Promise<void> {
  const { reservationOffer: offer } = await client.request<{ reservationOffer: OfferAnswer }>(
    DOCUMENTS.reservationOffer,
    { input },
  );
  output.result(offer, () => renderOffer(offer, input.startAt), offer.kind === 'PROMISE' ? 0 : EXIT.caller);
}

function renderOffer(offer: OfferAnswer, startAt: string): string {
  const { reason, site, promisedProbability: probability, point, charge, trajectory } = offer;
  const best = point && describeBest({ siteName: site.name, submitAt: point.submitAt, probability }, startAt);
  const words = charge
    ? `${site.name} would promise ${percent(probability)}, submitted at ${formatMoment(point?.submitAt ?? '')}, ` +
      `padding ${formatProcessorHours(charge.expectedPaddingProcessorSeconds)} expected, ` +
      `${formatProcessorHours(charge.worstPaddingProcessorSeconds)} at most${describeWork(charge)}`
    : [`no promise: ${reason}`, best].filter(Boolean).join('\n');
  const warning = charge ? warningOf(site.name, offer.outsideKnownRange).map((line) => `\n${line}`) : '';
  return `${words}${warning}\n\n${renderTrajectory(trajectory, point?.submitAt ?? null, startAt)}`;
}

/** What the work is expected to cost beside its padding, and the most that it can. */
function describeWork({ neededProcessorSeconds, expectedNeededProcessorSeconds }: ChargeForecastAnswer): string {
  if (expectedNeededProcessorSeconds === null) return '';
  const [expected, most] = [expectedNeededProcessorSeconds, neededProcessorSeconds].map(formatProcessorHours);
  return `; the work ${expected} expected, ${most} at most`;
}

/** The most that is on offer, in a sentence. */
export function describeBest({ siteName, submitAt, probability }: BestOfferAnswer, startAt: string): string {
  const leadSeconds = (Date.parse(startAt) - Date.parse(submitAt)) / 1000;
  return `the best on offer is ${percent(probability)} at ${siteName}, when submitted ${formatSeconds(leadSeconds)} before`;
}

function withBestOffer(failure: CliFailure, best: BestOfferAnswer | null, startAt: string): CliFailure {
  if (!best) return failure;
  const remedy = `${describeBest(best, startAt)}\n${failure.remedy ?? ''}`.trim();
  return new CliFailure(failure.message, failure.exitCode, remedy, failure.faults);
}

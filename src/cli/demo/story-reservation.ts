import { formatSeconds } from '../../domain/duration.ts';
import type { BestOfferAnswer, Payload, ReservationAnswer } from '../client/answers.ts';
import { DOCUMENTS } from '../client/documents.ts';
import { followThing } from '../client/follow.ts';
import { describeBest } from '../commands/reserve.ts';
import { failureOf } from '../failure.ts';
import { percent } from '../render/objects.ts';
import { formatMoment, formatProcessorHours } from '../render/time.ts';
import { renderTrajectory } from '../render/trajectory.ts';
import { readServerTime } from '../session.ts';
import type { Narrator } from './narrator.ts';
import { cameTooLate, mutate } from './patient-client.ts';
import { scriptOf } from './script-of.ts';
import type { Stage } from './stage.ts';

export type ReserveAnswer = Payload<'reservation', ReservationAnswer> & { readonly bestOffer: BestOfferAnswer | null };

const LEAD_SECONDS = 6 * 3600;

/** What is asked for, from the wish down to what a busy site may still promise. */
const WISHES = [
  { processors: 8, walltimeSeconds: 1800, probability: 0.9 },
  { processors: 8, walltimeSeconds: 900, probability: 0.9 },
  { processors: 4, walltimeSeconds: 900, probability: 0.8 },
  { processors: 1, walltimeSeconds: 600, probability: 0.5 },
] as const;

/**
 * Asks for the reservation; a refusal is told with its best offer, and less is asked for. Null when nothing was
 * promised.
 */
export async function askReservation(stage: Stage, narrator: Narrator): Promise<ReservationAnswer | null> {
  for (const [index, wish] of WISHES.entries()) {
    const answer = await askOnce(stage, narrator, wish, `reservation-${index}`);
    if (answer) return answer;
  }
  return null;
}

async function askOnce(
  stage: Stage,
  narrator: Narrator,
  wish: (typeof WISHES)[number],
  name: string,
): Promise<ReservationAnswer | null> {
  const { client, memory } = stage;
  const { processors, walltimeSeconds, probability } = wish;
  narrator.chapter(
    `A promise: ${processors} processors for ${formatSeconds(walltimeSeconds)}, running in six hours with probability ${probability}`,
  );
  const startAt = await memory.decide(`${name}-at`, async () =>
    new Date((Math.ceil(await readServerTime(client)) + LEAD_SECONDS) * 1000).toISOString(),
  );
  const input = {
    ...{ name: 'story-reservation', script: scriptOf(walltimeSeconds - 120), processors, walltimeSeconds },
    ...{
      startAt,
      probability,
      ifMissed: 'CANCEL',
      maxPaddingProcessorSeconds: processors * LEAD_SECONDS,
      idempotencyKey: `story-${name}`,
    },
  };
  const answer = await memory.decide(name, () => mutate<ReserveAnswer>(client, DOCUMENTS.reserve, 'reserve', input));
  const failure = failureOf(answer.userErrors);
  if (cameTooLate(failure)) return askOnce(stage, narrator, wish, `${name}-again`);
  if (failure && !failure.faults.every(({ code }) => code === 'PROMISE_REFUSED')) throw failure;
  if (!answer.reservation) {
    const best = answer.bestOffer ? `: ${describeBest(answer.bestOffer, startAt)}` : ', and has nothing else to offer';
    narrator.line(`refused by every site${best}`);
    return null;
  }
  tellPromise(answer.reservation, narrator);
  return answer.reservation;
}

function tellPromise(reservation: ReservationAnswer, narrator: Narrator): void {
  const { site, submitAt, startAt, promisedProbability, trajectory } = reservation;
  narrator.line(
    `${site?.name} it is: probability ${percent(promisedProbability)} when submitted at ${formatMoment(submitAt ?? '')}, ` +
      `padding ${formatProcessorHours(reservation.expectedPaddingProcessorSeconds)} expected, ` +
      `${formatProcessorHours(reservation.worstPaddingProcessorSeconds)} at most`,
  );
  narrator.line(`\nprobability to be running at ${formatMoment(startAt)}, by the time of submission`);
  narrator.line(renderTrajectory(trajectory, submitAt, startAt));
}

/** Tells the reservation's life until it is over. */
export async function followReservation(
  { client }: Stage,
  { id }: ReservationAnswer,
  narrator: Narrator,
): Promise<ReservationAnswer> {
  let told = '';
  let last: ReservationAnswer | null = null;
  for await (const thing of followThing(client, 'Reservation', id)) {
    if (thing.kind !== 'Reservation') continue;
    last = thing.value;
    const [moment, text] = describeReservation(last);
    if (text !== told) narrator.event(moment, `reservation  ${text}`);
    told = text;
  }
  if (!last) throw new Error(`reservation ${id} was never seen`);
  return last;
}

/** Where a reservation stands, with the moment when it came there. */
export function describeReservation(reservation: ReservationAnswer): [moment: string | null, text: string] {
  const { state, job, site, startAt, createdAt, decidedAt, currentProbability } = reservation;
  const early = job.startedAt ? (Date.parse(startAt) - Date.parse(job.startedAt)) / 1000 : null;
  if (job.state === 'ENDED' && ['KEPT', 'MISSED', 'CANCELLED'].includes(state)) {
    return [
      job.endedAt ?? decidedAt ?? createdAt,
      `${state.toLowerCase()}, and its job has ended: ${job.outcome?.toLowerCase()}`,
    ];
  }
  switch (state) {
    case 'PROMISED':
      if (reservation.releasedProcessorSeconds > 0 && reservation.submitAt) {
        return [null, `${job.reason}; to be submitted again at ${formatMoment(reservation.submitAt)}`];
      }
      return [createdAt, `stands at ${percent(reservation.promisedProbability)}; to be submitted to ${site?.name}`];
    case 'SUBMITTED':
      return [
        job.submittedAt ?? createdAt,
        `submitted to ${site?.name}, ${formatSeconds(leadOf(reservation))} before its time, at ${percent(currentProbability)}`,
      ];
    case 'HOLDING':
      return [
        job.startedAt ?? createdAt,
        `its job started ${formatSeconds(early ?? 0)} early and holds the processors`,
      ];
    case 'KEPT':
      return [decidedAt ?? startAt, 'kept: it runs at the promised time'];
    case 'MISSED':
      return [decidedAt ?? startAt, `missed: ${job.reason ?? 'it was not running at the promised time'}`];
    default:
      return [decidedAt ?? createdAt, state.toLowerCase()];
  }
}

function leadOf({ startAt, job }: ReservationAnswer): number {
  return job.submittedAt ? (Date.parse(startAt) - Date.parse(job.submittedAt)) / 1000 : 0;
}

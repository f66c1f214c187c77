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

/** How long before their times they are asked for, the first one first. */
const LEADS_HOURS = [6, 4, 2] as const;

/** What is asked for, from the wish down to what a busy site may still promise. */
const WISHES = [
  { processors: 8, walltimeSeconds: 1800, probability: 0.9 },
  { processors: 8, walltimeSeconds: 900, probability: 0.9 },
  { processors: 4, walltimeSeconds: 900, probability: 0.8 },
  { processors: 1, walltimeSeconds: 600, probability: 0.5 },
] as const;
type Wish = (typeof WISHES)[number];

/** A reservation of the story that stands. */
export interface StoryPromise {
  readonly leadHours: number;
  readonly reservation: ReservationAnswer;
}

/** Asks for the reservations, one after the other. Those that no site promised are left out. */
export async function askPromises(stage: Stage, narrator: Narrator): Promise<StoryPromise[]> {
  const [{ processors, walltimeSeconds, probability }] = WISHES;
  narrator.chapter(
    `Three promises: ${processors} processors for ${formatSeconds(walltimeSeconds)}, running in six, four and two hours, each with probability ${probability}`,
  );
  const promises: StoryPromise[] = [];
  for (const leadHours of LEADS_HOURS) {
    const reservation = await askPromise(stage, narrator, leadHours);
    if (!reservation) continue;
    if (promises.length === 0) tellTrajectory(reservation, narrator);
    promises.push({ leadHours, reservation });
  }
  return promises;
}

/** A refusal is told with its best offer, and less is asked for. Null when nothing was promised. */
async function askPromise(stage: Stage, narrator: Narrator, leadHours: number): Promise<ReservationAnswer | null> {
  for (const [index, wish] of WISHES.entries()) {
    if (index > 0) narrator.line(`in ${leadHours} h: ${describeWish(wish)} are asked for`);
    const answer = await askOnce(stage, narrator, { ...wish, leadHours }, `reservation-${leadHours}h-${index}`);
    if (answer) return answer;
  }
  return null;
}

function describeWish({ processors, walltimeSeconds, probability }: Wish): string {
  return `${processors} processors for ${formatSeconds(walltimeSeconds)} with probability ${probability}`;
}

async function askOnce(
  stage: Stage,
  narrator: Narrator,
  wish: Wish & { readonly leadHours: number },
  name: string,
): Promise<ReservationAnswer | null> {
  const { client, memory } = stage;
  const { processors, walltimeSeconds, probability, leadHours } = wish;
  const leadSeconds = leadHours * 3600;
  const startAt = await memory.decide(`${name}-at`, async () =>
    new Date((Math.ceil(await readServerTime(client)) + leadSeconds) * 1000).toISOString(),
  );
  const input = {
    ...{ name: `story-promise-${leadHours}h`, script: scriptOf(walltimeSeconds - 120), processors, walltimeSeconds },
    ...{
      startAt,
      probability,
      ifMissed: 'CANCEL',
      maxPaddingProcessorSeconds: processors * leadSeconds,
      idempotencyKey: `story-${name}`,
    },
  };
  const answer = await memory.decide(name, () => mutate<ReserveAnswer>(client, DOCUMENTS.reserve, 'reserve', input));
  const failure = failureOf(answer.userErrors);
  if (cameTooLate(failure)) return askOnce(stage, narrator, wish, `${name}-again`);
  if (failure && !failure.faults.every(({ code }) => code === 'PROMISE_REFUSED')) throw failure;
  if (!answer.reservation) {
    const best = answer.bestOffer ? `: ${describeBest(answer.bestOffer, startAt)}` : ', and has nothing else to offer';
    narrator.line(`in ${leadHours} h: refused by every site${best}`);
    return null;
  }
  tellPromise(leadHours, answer.reservation, narrator);
  return answer.reservation;
}

function tellPromise(leadHours: number, reservation: ReservationAnswer, narrator: Narrator): void {
  const { site, submitAt, promisedProbability } = reservation;
  narrator.line(
    `in ${leadHours} h: ${site?.name}, with probability ${percent(promisedProbability)} when submitted at ${formatMoment(submitAt ?? '')}, ` +
      `padding ${formatProcessorHours(reservation.expectedPaddingProcessorSeconds)} expected, ` +
      `${formatProcessorHours(reservation.worstPaddingProcessorSeconds)} at most`,
  );
}

function tellTrajectory({ trajectory, submitAt, startAt }: ReservationAnswer, narrator: Narrator): void {
  narrator.line(`\nprobability to be running at ${formatMoment(startAt)}, by the time of submission`);
  narrator.line(`${renderTrajectory(trajectory, submitAt, startAt)}\n`);
}

/** Tells the reservation's life until it is over. */
export async function followPromise(
  { client }: Stage,
  { leadHours, reservation: { id } }: StoryPromise,
  narrator: Narrator,
): Promise<ReservationAnswer> {
  let told = '';
  let last: ReservationAnswer | null = null;
  for await (const thing of followThing(client, 'Reservation', id)) {
    if (thing.kind !== 'Reservation') continue;
    last = thing.value;
    const [moment, text] = describeReservation(last);
    if (text !== told) narrator.event(moment, `${promiseName(leadHours)}  ${text}`);
    told = text;
  }
  if (!last) throw new Error(`reservation ${id} was never seen`);
  return last;
}

/** What a reservation of the story is called beside its job and its either-or. */
export function promiseName(leadHours: number): string {
  return `promise ${leadHours} h`;
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
        `submitted to ${site?.name}, ${leadOf(reservation)} its time, at ${percent(currentProbability)}`,
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

/** How long before its time it was handed in; after it where the machine could not follow the sites' clock. */
function leadOf({ startAt, job }: ReservationAnswer): string {
  const seconds = job.submittedAt ? (Date.parse(startAt) - Date.parse(job.submittedAt)) / 1000 : 0;
  return `${formatSeconds(Math.abs(seconds))} ${seconds < 0 ? 'after' : 'before'}`;
}

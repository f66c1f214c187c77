import { CliFailure, EXIT } from '../failure.ts';
import type { ChargeAnswer, CoAllocationAnswer, JobAnswer, ReservationAnswer } from './answers.ts';
import { DOCUMENTS } from './documents.ts';
import type { GraphqlClient } from './graphql-client.ts';
import { readThing, type Thing } from './lookup.ts';
import { isMovingOut } from './outputs-left.ts';

/**
 * How often a followed thing is read again although no event came: one may be lost while a connection is made again.
 */
const REREAD_MILLISECONDS = 2000;

const CHARGE_MILLISECONDS = 60_000;

/** True when nothing about the thing can change any more but what it is charged. */
function isOver(thing: Thing): boolean {
  if (thing.kind === 'Job') return thing.value.state === 'ENDED' && !isMovingOut(thing.value);
  if (thing.kind === 'Reservation') return isReservationOver(thing.value);
  const { state, legs } = thing.value;
  return state !== 'PENDING' && legs.every(isReservationOver);
}

function isReservationOver({ state, job }: ReservationAnswer): boolean {
  return ['KEPT', 'MISSED', 'CANCELLED'].includes(state) && job.state === 'ENDED';
}

function isCharged(thing: Thing): boolean {
  if (thing.kind === 'Job') return isJobCharged(thing.value, thing.value.charges);
  const reservations = thing.kind === 'Reservation' ? [thing.value] : thing.value.legs;
  return reservations.every(({ job, charges }) => isJobCharged(job, charges));
}

/** A job that ran is charged a moment after it ended; one that took no time is not. */
function isJobCharged(
  { startedAt, endedAt }: Pick<JobAnswer, 'startedAt' | 'endedAt'>,
  charges: readonly ChargeAnswer[],
): boolean {
  return startedAt === null || endedAt === null || startedAt === endedAt || charges.length > 0;
}

/**
 * Yields a thing as it stands and then whenever it has changed, until it is over. Events come by subscription; in
 * between it is read again now and then, so that nothing is missed when a connection breaks. The end comes once, with
 * what was charged, which is waited for as long as a minute.
 */
export async function* followThing(client: GraphqlClient, kind: Thing['kind'], id: string): AsyncGenerator<Thing> {
  const events = subscribeTo(client, kind, id);
  let told = '';
  let chargeBy = Number.POSITIVE_INFINITY;
  let event = wakeOn(events);
  try {
    for (;;) {
      const thing = await readPatiently(client, kind, id);
      const over = isOver(thing);
      if (over) chargeBy = Math.min(chargeBy, performance.now() + CHARGE_MILLISECONDS);
      const isLast = over && (isCharged(thing) || performance.now() > chargeBy);
      const text = JSON.stringify(comparable(thing));
      if (text !== told && (isLast || !over)) {
        yield thing;
        told = text;
      }
      if (isLast) return;
      const outcome = await Promise.race([event, pause()]);
      if (outcome === 'EVENT') event = wakeOn(events);
    }
  } finally {
    void events.return?.();
  }
}

function subscribeTo(client: GraphqlClient, kind: Thing['kind'], id: string): AsyncIterator<unknown> {
  if (kind === 'Job') return client.subscribe<{ jobChanged: JobAnswer }>(DOCUMENTS.jobChanged, { id });
  if (kind === 'Reservation') {
    return client.subscribe<{ reservationChanged: ReservationAnswer }>(DOCUMENTS.reservationChanged, { id });
  }
  return client.subscribe<{ coAllocationChanged: CoAllocationAnswer }>(DOCUMENTS.coAllocationChanged, { id });
}

/** Resolves with the next event; never when the subscription has ended, so that reading goes on alone. */
function wakeOn(events: AsyncIterator<unknown>): Promise<'EVENT'> {
  return new Promise((wake) => {
    events.next().then(
      ({ done }) => done || wake('EVENT'),
      () => undefined,
    );
  });
}

function pause(): Promise<'PAUSE'> {
  return new Promise((done) => setTimeout(() => done('PAUSE'), REREAD_MILLISECONDS));
}

/** Reads, and waits for a service that is just being started again. */
async function readPatiently(client: GraphqlClient, kind: Thing['kind'], id: string): Promise<Thing> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await readThing(client, kind, id);
    } catch (error) {
      const passing = error instanceof CliFailure && error.exitCode === EXIT.unreachable;
      if (!passing || attempt >= PATIENCE_ATTEMPTS) throw error;
      await pause();
    }
  }
}

const PATIENCE_ATTEMPTS = 30;

/** What of a thing makes a change worth telling: not its trajectory, which is recomputed all the time. */
function comparable({ kind, value }: Thing): unknown {
  if (kind === 'Job') return { ...value, plan: null };
  if (kind === 'Reservation') return withoutTrajectory(value);
  return { ...value, legs: value.legs.map(withoutTrajectory) };
}

function withoutTrajectory({ trajectory: _trajectory, currentProbability: _current, ...rest }: ReservationAnswer) {
  return rest;
}

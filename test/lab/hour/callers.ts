import { setTimeout as sleep } from 'node:timers/promises';
import type { RandomStream } from '../../../src/sim/random.ts';
import type { Ask } from '../compare/told-execution.ts';
import { drawWish, type Wish } from './wishes.ts';

/** How callers fared. */
export interface CallerCounts {
  accepted: number;
  refused: number;
  cancelled: number;
  /** Calls that had to be sent again because no answer came. */
  repeated: number;
  /** Answers that were neither yes nor a typed no. */
  readonly faults: string[];
}

const ERRORS = 'userErrors { code field message }';
const DOCUMENTS: Readonly<Record<Wish['kind'], string>> = {
  submitJob: `mutation Wish($input: SubmitJobInput!) { submitJob(input: $input) { job { id } ${ERRORS} } }`,
  reserve: `mutation Wish($input: ReserveInput!) {
    reserve(input: $input) { reservation { id } bestOffer { probability } ${ERRORS} }
  }`,
  coAllocate: `mutation Wish($input: CoAllocateInput!) { coAllocate(input: $input) { coAllocation { id } ${ERRORS} } }`,
};
const CANCELS: Readonly<Record<Wish['kind'], string>> = {
  submitJob: `mutation Cancel($input: CancelInput!) { cancelJob(input: $input) { ${ERRORS} } }`,
  reserve: `mutation Cancel($input: CancelInput!) { cancelReservation(input: $input) { ${ERRORS} } }`,
  coAllocate: `mutation Cancel($input: CancelInput!) { cancelCoAllocation(input: $input) { ${ERRORS} } }`,
};
const CANCELLED_SHARE = 0.04;
/** What is offered in place of a refused promise is taken when it is worth anything. */
const LEAST_PROBABILITY = 0.3;
const TRIES = 30;

/** Asks for one thing after the other until told to end, whatever becomes of the API meanwhile. */
export async function callUntil(
  isOver: () => boolean,
  ask: Ask,
  random: RandomStream,
  everySeconds: number,
): Promise<CallerCounts> {
  const counts: CallerCounts = { accepted: 0, refused: 0, cancelled: 0, repeated: 0, faults: [] };
  for (let number = 0; !isOver(); number++) {
    const begunAt = performance.now();
    await carryOut(ask, drawWish(random, number, Date.now() / 1000), counts, random);
    await sleep(Math.max(0, everySeconds * 1000 - (performance.now() - begunAt)));
  }
  return counts;
}

async function carryOut(ask: Ask, wish: Wish, counts: CallerCounts, random: RandomStream): Promise<void> {
  const answer = await send(ask, wish, counts);
  if (!answer) return;
  const { made, bestProbability } = answer;
  if (made === null && bestProbability !== null && bestProbability >= LEAST_PROBABILITY) {
    const probability = Math.floor(bestProbability * 100) / 100;
    const idempotencyKey = `${wish.input.idempotencyKey}-again`;
    const again = await send(ask, { ...wish, input: { ...wish.input, probability, idempotencyKey } }, counts);
    counts[again?.made ? 'accepted' : 'refused']++;
    return;
  }
  counts[made === null ? 'refused' : 'accepted']++;
  if (made === null || random.uniform() >= CANCELLED_SHARE) return;
  await repeat(() => ask(CANCELS[wish.kind], { input: { id: made } }), counts);
  counts.cancelled++;
}

interface Answer {
  readonly made: string | null;
  readonly bestProbability: number | null;
}

async function send(ask: Ask, wish: Wish, counts: CallerCounts): Promise<Answer | null> {
  const data = await repeat(() => ask(DOCUMENTS[wish.kind], { input: wish.input }), counts);
  if (!data) return null;
  const payload = data[wish.kind] as Record<string, { id: string; probability: number } | null>;
  const made = payload.job ?? payload.reservation ?? payload.coAllocation ?? null;
  return { made: made?.id ?? null, bestProbability: payload.bestOffer?.probability ?? null };
}

/** Sends until there is an answer: a killed API is back in some seconds, and the key makes a second call harmless. */
async function repeat<Data>(call: () => Promise<Data>, counts: CallerCounts): Promise<Data | null> {
  for (let tries = 1; ; tries++) {
    try {
      return await call();
    } catch (error) {
      counts.repeated++;
      if (tries < TRIES) await sleep(1000);
      else {
        counts.faults.push(String(error));
        return null;
      }
    }
  }
}

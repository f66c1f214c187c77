import type { SiteAnswer } from '../client/answers.ts';
import { DOCUMENTS } from '../client/documents.ts';
import { failureOf } from '../failure.ts';
import { startProgress } from '../render/progress.ts';
import { readServerTime } from '../session.ts';
import { cameTooLate, mutate } from './patient-client.ts';
import { drawReservation, type ReservationDraw } from './reservation-draw.ts';
import { scriptOf } from './script-of.ts';
import type { Stage } from './stage.ts';
import type { ReserveAnswer } from './story-promises.ts';

/** What became of one slot: the reservation that was promised and what was refused before. */
export interface AskedSlot {
  /** Null when every attempt was refused. */
  readonly reservationId: string | null;
  readonly refused: readonly ReservationDraw[];
}

const LEAD_SECONDS = 6 * 3600;
const MOST_ATTEMPTS = 12;
const MOST_LOOKS = 30;
const LOOK_MILLISECONDS = 1000;
/** Wall time over which the wishes are spread at most, and between two of them. */
const SPREAD_MILLISECONDS = 450_000;
const LONGEST_GAP_MILLISECONDS = 2400;
/** Jobs run a little shorter than what they ask for. */
const RUN_SHARE = 0.9;

/** Asks for so many reservations, spread over the sites and over time; what a site refuses is asked for differently. */
export async function askReservations(
  stage: Stage,
  sites: readonly SiteAnswer[],
  count: number,
  quiet: boolean,
): Promise<AskedSlot[]> {
  const { memory, client, scale } = stage;
  const beganAt = await memory.decide('began-at', () => readServerTime(client));
  const gapSeconds = (Math.min(LONGEST_GAP_MILLISECONDS, SPREAD_MILLISECONDS / count) / 1000) * scale;
  const progress = startProgress('reservations asked for', count, quiet);
  const slots: AskedSlot[] = [];
  for (let slot = 0; slot < count; slot++) {
    await untilServerTime(stage, beganAt + slot * gapSeconds);
    slots.push(await askSlot(stage, sites, slot));
    progress.update(slot + 1);
  }
  progress.stop();
  return slots;
}

async function askSlot(stage: Stage, sites: readonly SiteAnswer[], slot: number): Promise<AskedSlot> {
  const refused: ReservationDraw[] = [];
  for (let attempt = 0; attempt < MOST_ATTEMPTS; attempt++) {
    const draw = drawReservation(sites, stage.seed, slot, attempt);
    const reservationId = await askWhenSeen(stage, sites, draw, `${slot}-${attempt}`);
    if (reservationId) return { reservationId, refused };
    refused.push(draw);
  }
  return { reservationId: null, refused };
}

/**
 * Asks, and again while the site is out of sight, as it is for some seconds after a worker has died. Null for a
 * refusal.
 */
async function askWhenSeen(
  stage: Stage,
  sites: readonly SiteAnswer[],
  draw: ReservationDraw,
  name: string,
): Promise<string | null> {
  for (let look = 0; look < MOST_LOOKS; look++) {
    const answer = await askOnce(stage, sites, draw, `${name}-${look}`);
    if (answer !== OUT_OF_SIGHT) return answer;
    await new Promise((done) => setTimeout(done, LOOK_MILLISECONDS));
  }
  return null;
}

/** Asks once under the name's idempotency key; the promised reservation's id, null for a refusal. */
async function askOnce(
  { client, memory }: Stage,
  sites: readonly SiteAnswer[],
  draw: ReservationDraw,
  name: string,
): Promise<string | null> {
  const startAt = await memory.decide(`${name}-at`, async () =>
    new Date((Math.ceil(await readServerTime(client)) + LEAD_SECONDS) * 1000).toISOString(),
  );
  const { processors, walltimeSeconds, probability } = draw;
  const input = {
    ...{ name: `reservation-${name}`, script: scriptOf(walltimeSeconds * RUN_SHARE), processors, walltimeSeconds },
    siteIds: sites.filter((site) => site.name === draw.site).map(({ id }) => id),
    ...{
      startAt,
      probability,
      ifMissed: 'CANCEL',
      maxPaddingProcessorSeconds: processors * LEAD_SECONDS,
      idempotencyKey: `reservation-${name}`,
    },
  };
  return memory.decide(name, async () => {
    const answer = await mutate<ReserveAnswer>(client, DOCUMENTS.reserve, 'reserve', input);
    const failure = failureOf(answer.userErrors);
    // A wish that lay too long while the service was down is asked again too.
    if (isAbout(failure, UNSEEN) || cameTooLate(failure)) return OUT_OF_SIGHT;
    if (failure && !isAbout(failure, REFUSALS)) throw failure;
    return answer.reservation?.id ?? null;
  });
}

/** No id is that short. */
const OUT_OF_SIGHT = '-';
const UNSEEN = ['STALE_SITE', 'SUSPENDED_SITE'];
const REFUSALS = ['PROMISE_REFUSED', 'NO_ELIGIBLE_SITE'];

function isAbout(failure: ReturnType<typeof failureOf>, codes: readonly string[]): boolean {
  return failure?.faults.every(({ code }) => codes.includes(code)) ?? false;
}

async function untilServerTime({ client, scale }: Stage, at: number): Promise<void> {
  for (;;) {
    const left = at - (await readServerTime(client));
    if (left <= 0) return;
    await new Promise((done) => setTimeout(done, Math.max(20, (left / scale) * 1000)));
  }
}

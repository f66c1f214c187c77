import type { SiteAnswer } from '../client/answers.ts';
import { DOCUMENTS } from '../client/documents.ts';
import { startProgress } from '../render/progress.ts';
import { type AskedSlot, askReservations } from './ask-reservations.ts';
import type { Narrator } from './narrator.ts';
import { type DecidedReservation, type PromiseRow, tabulate } from './promises-kept.ts';
import type { Stage } from './stage.ts';

/** What many reservations came to. */
export interface ManyReservations {
  readonly rows: readonly PromiseRow[];
  readonly slots: readonly AskedSlot[];
  readonly reservations: readonly DecidedReservation[];
}

const PAGE = 100;
const POLL_MILLISECONDS = 2000;

/** Asks for many reservations and waits until each is decided and charged. */
export async function playManyReservations(
  stage: Stage,
  sites: readonly SiteAnswer[],
  count: number,
  narrator: Narrator,
  quiet: boolean,
): Promise<ManyReservations> {
  narrator.chapter(`${count} reservations, each six hours ahead, spread over ${sites.length} sites`);
  const slots = await askReservations(stage, sites, count, quiet);
  const promised = new Set(slots.flatMap(({ reservationId }) => (reservationId ? [reservationId] : [])));
  const progress = startProgress('reservations decided and charged', promised.size, quiet);
  for (;;) {
    const reservations = (await readReservations(stage)).filter(({ id }) => promised.has(id));
    const over = reservations.filter(isSettled);
    progress.update(over.length);
    if (over.length === promised.size) {
      progress.stop();
      return { rows: tabulate(over, slots), slots, reservations: over };
    }
    await new Promise((done) => setTimeout(done, POLL_MILLISECONDS));
  }
}

/** Decided, its job gone, and what was kept is paid for. */
function isSettled({ state, job, charges }: DecidedReservation): boolean {
  if (job.state !== 'ENDED') return false;
  return state === 'KEPT' ? charges.length > 0 : state === 'MISSED' || state === 'CANCELLED';
}

interface ReservationPage {
  readonly reservations: {
    readonly edges: readonly { readonly node: DecidedReservation }[];
    readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | null };
  };
}

async function readReservations({ client }: Stage): Promise<DecidedReservation[]> {
  const all: DecidedReservation[] = [];
  for (let after: string | null = null; ; ) {
    const { reservations }: ReservationPage = await client.request(DOCUMENTS.reservations, { first: PAGE, after });
    all.push(...reservations.edges.map(({ node }) => node));
    if (!reservations.pageInfo.hasNextPage) return all;
    after = reservations.pageInfo.endCursor;
  }
}

import { useState } from 'react';
import { Button } from 'react-aria-components';
import { type Client, type CombinedError, useClient } from 'urql';
import { serviceNow } from '../../api/clock.ts';
import { ChartFrame } from '../../ui/chart-frame.tsx';
import { formatExactMoment, formatProcessorHours, formatShare } from '../../ui/format.ts';
import { messageOf } from '../../ui/notice.tsx';
import type { ReserveTerms } from './form.ts';
import { type OfferRow, ONE_OFFER, SIX_OFFERS } from './reserve.graphql.ts';

const DAYS = 7;
/** Start times that are asked for by one question. */
const TOGETHER = 6;
const HOURS = [0, 4, 8, 12, 16, 20];
const DAY = new Intl.DateTimeFormat('en-GB', { weekday: 'short', day: '2-digit', month: 'short' });

interface Slot {
  readonly at: number;
  readonly offer: OfferRow | null;
}

interface CalendarProps {
  readonly terms: ReserveTerms;
  /** Takes a start time into the form, in milliseconds since the epoch. */
  readonly onStart: (at: number) => void;
}

/** When in the coming week the same promise would cost how much. */
export function Calendar({ terms, onStart }: CalendarProps) {
  const client = useClient();
  const [worked, setWorked] = useState<{ terms: string; slots: readonly Slot[]; fault: string | null } | null>(null);
  const key = JSON.stringify({ ...terms, startAt: null });
  const isOld = worked !== null && worked.terms !== key;
  const work = async () => {
    const slots: Slot[] = [];
    setWorked({ terms: key, slots: [], fault: null });
    const starts = startsOfWeek(serviceNow());
    for (let first = 0; first < starts.length; first += TOGETHER) {
      const { offers, error } = await askFor(client, terms, starts.slice(first, first + TOGETHER));
      slots.push(...offers);
      setWorked({ terms: key, slots: [...slots], fault: error ? messageOf(error) : null });
      if (error?.networkError) return;
    }
  };
  return (
    <ChartFrame
      title="The coming week"
      note={`padding expected for ${formatShare(terms.probability)} by start time`}
      summary="For each day and time the padding that is expected, or the most that would be promised."
      headings={['start', 'site', 'promised', 'expected padding, processor-seconds']}
      rows={(worked?.slots ?? []).map(({ at, offer }) => [
        ...[formatExactMoment(at), offer?.site.name ?? null, offer?.promisedProbability ?? null],
        offer?.charge?.expectedPaddingProcessorSeconds ?? null,
      ])}
    >
      {worked === null || isOld ? (
        <p>
          <Button className="button" onPress={() => void work()}>
            Work out the week
          </Button>
        </p>
      ) : (
        <Week slots={worked.slots} onStart={onStart} />
      )}
      {worked?.fault && <p className="fault">{worked.fault}</p>}
    </ChartFrame>
  );
}

/** What would be promised for each of some start times. */
interface Offers {
  readonly offers: readonly Slot[];
  readonly error: CombinedError | undefined;
}

/** Asks for six at once, and one by one where one of them has no answer. */
async function askFor(client: Client, terms: ReserveTerms, starts: readonly number[]): Promise<Offers> {
  const at = (index: number) => inputAt(terms, starts[index] ?? starts[0] ?? 0);
  const [a, b, c, d, e, f] = [at(0), at(1), at(2), at(3), at(4), at(5)];
  const { data, error } = await client.query(SIX_OFFERS, { a, b, c, d, e, f }).toPromise();
  if (error && !error.networkError) return askOneByOne(client, terms, starts);
  const found = data ? [data.a, data.b, data.c, data.d, data.e, data.f] : [];
  return { offers: starts.map((start, index) => ({ at: start, offer: found[index] ?? null })), error };
}

async function askOneByOne(client: Client, terms: ReserveTerms, starts: readonly number[]): Promise<Offers> {
  const offers: Slot[] = [];
  let last: CombinedError | undefined;
  for (const at of starts) {
    const { data, error } = await client.query(ONE_OFFER, { input: inputAt(terms, at) }).toPromise();
    offers.push({ at, offer: data?.reservationOffer ?? null });
    last = error ?? last;
  }
  return { offers, error: last };
}

function inputAt(terms: ReserveTerms, at: number) {
  return { ...terms, startAt: new Date(at).toISOString() };
}

/** Every fourth hour of the coming days in the viewer's zone, those that have passed left out. */
function startsOfWeek(now: number): number[] {
  const midnight = new Date(now);
  midnight.setHours(0, 0, 0, 0);
  return Array.from({ length: DAYS + 1 }, (_, day) => HOURS.map((hour) => new Date(midnight).setHours(24 * day + hour)))
    .flat()
    .filter((at) => at > now && at <= now + DAYS * 86_400_000);
}

function Week({ slots, onStart }: { readonly slots: readonly Slot[] } & Pick<CalendarProps, 'onStart'>) {
  const paddings = slots.flatMap(({ offer }) => offer?.charge?.expectedPaddingProcessorSeconds ?? []);
  const most = Math.max(1, ...paddings);
  const days = [...new Set(slots.map(({ at }) => DAY.format(at)))];
  const slotOf = (day: string, hour: number) =>
    slots.find(({ at }) => DAY.format(at) === day && new Date(at).getHours() === hour);
  return (
    <table className="week">
      <thead>
        <tr>
          <th scope="col">Start</th>
          {HOURS.map((hour) => (
            <th key={hour} scope="col">
              {String(hour).padStart(2, '0')}:00
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {days.map((day) => (
          <tr key={day}>
            <th scope="row">{day}</th>
            {HOURS.map((hour) => (
              <Cell key={hour} slot={slotOf(day, hour)} most={most} onStart={onStart} />
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

interface CellProps extends Pick<CalendarProps, 'onStart'> {
  readonly slot: Slot | undefined;
  readonly most: number;
}

function Cell({ slot, most, onStart }: CellProps) {
  if (!slot) return <td />;
  const { at, offer } = slot;
  if (!offer?.charge) return <td className="refused">{offer ? `≤ ${formatShare(offer.promisedProbability)}` : '?'}</td>;
  const padding = offer.charge.expectedPaddingProcessorSeconds;
  return (
    <td className={`heat-${Math.min(3, Math.floor((4 * padding) / most))}`}>
      <button type="button" className="start" title={`Start it ${formatExactMoment(at)}`} onClick={() => onStart(at)}>
        {formatProcessorHours(padding)}
      </button>
    </td>
  );
}

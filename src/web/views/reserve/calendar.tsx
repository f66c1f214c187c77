import { useState } from 'react';
import { Button } from 'react-aria-components';
import { useClient } from 'urql';
import { serviceNow } from '../../api/clock.ts';
import { ChartFrame } from '../../ui/chart-frame.tsx';
import { formatExactMoment, formatProcessorHours, formatShare } from '../../ui/format.ts';
import { messageOf } from '../../ui/notice.tsx';
import type { ReserveTerms } from './form.ts';
import { type OfferRow, ONE_OFFER } from './reserve.graphql.ts';

const DAYS = 7;
const HOURS = [0, 4, 8, 12, 16, 20];
const DAY = new Intl.DateTimeFormat('en-GB', { weekday: 'short', day: '2-digit', month: 'short' });

interface Slot {
  readonly at: number;
  readonly offer: OfferRow | null;
}

/** When in the coming week the same promise would cost how much. */
export function Calendar({ terms }: { readonly terms: ReserveTerms }) {
  const client = useClient();
  const [worked, setWorked] = useState<{ terms: string; slots: readonly Slot[]; fault: string | null } | null>(null);
  const key = JSON.stringify({ ...terms, startAt: null });
  const isOld = worked !== null && worked.terms !== key;
  const work = async () => {
    const slots: Slot[] = [];
    setWorked({ terms: key, slots: [], fault: null });
    for (const at of startsOfWeek(serviceNow())) {
      const input = { ...terms, startAt: new Date(at).toISOString() };
      const { data, error } = await client.query(ONE_OFFER, { input }).toPromise();
      slots.push({ at, offer: data?.reservationOffer ?? null });
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
        <Week slots={worked.slots} />
      )}
      {worked?.fault && <p className="fault">{worked.fault}</p>}
    </ChartFrame>
  );
}

/** Every fourth hour of the coming days in the viewer's zone, those that have passed left out. */
function startsOfWeek(now: number): number[] {
  const midnight = new Date(now);
  midnight.setHours(0, 0, 0, 0);
  return Array.from({ length: DAYS + 1 }, (_, day) => HOURS.map((hour) => new Date(midnight).setHours(24 * day + hour)))
    .flat()
    .filter((at) => at > now && at <= now + DAYS * 86_400_000);
}

function Week({ slots }: { readonly slots: readonly Slot[] }) {
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
              <Cell key={hour} slot={slotOf(day, hour)} most={most} />
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Cell({ slot, most }: { readonly slot: Slot | undefined; readonly most: number }) {
  if (!slot) return <td />;
  const { offer } = slot;
  if (!offer?.charge) return <td className="refused">{offer ? `≤ ${formatShare(offer.promisedProbability)}` : '?'}</td>;
  const padding = offer.charge.expectedPaddingProcessorSeconds;
  return <td className={`heat-${Math.min(3, Math.floor((4 * padding) / most))}`}>{formatProcessorHours(padding)}</td>;
}

import { useState } from 'react';
import { serviceNow, useClockHeard, useServiceNow } from '../../api/clock.ts';
import { useLive } from '../../api/use-live.ts';
import { useSettled } from '../../api/use-settled.ts';
import { Age } from '../../ui/moment.tsx';
import { Empty, Failure, Loading } from '../../ui/notice.tsx';
import { SITE_CHANGED } from '../jobs/jobs.graphql.ts';
import { Calendar } from './calendar.tsx';
import { FinishBySize } from './finish-by-size.tsx';
import { type ReserveForm, type ReserveTerms, readForm, startFields } from './form.ts';
import { OfferTable } from './offer-table.tsx';
import { PriceTable } from './price-table.tsx';
import { PromiseButton } from './promise-button.tsx';
import { OFFERS } from './reserve.graphql.ts';
import { ReserveFields } from './reserve-fields.tsx';
import { TrajectoryChart } from './trajectory-chart.tsx';

const TYPING_MILLISECONDS = 400;
/** Every site is asked for its offer, so that is not done at every look at one of them. */
const CHANGES = { query: SITE_CHANGED, calmMilliseconds: 15_000 };
const HOUR_MILLISECONDS = 3_600_000;

function emptyForm(): ReserveForm {
  const startAt = Math.ceil((serviceNow() + 6 * HOUR_MILLISECONDS) / HOUR_MILLISECONDS) * HOUR_MILLISECONDS;
  return {
    ...{ name: 'reserved', script: '#!/bin/sh\nsleep 600\n', processors: '8', walltime: '1h' },
    ...{ ...startFields(startAt), probability: '0.9', siteId: '' },
  };
}

/** A form for a promise that answers while it is filled in. It begins with a moment by the service's clock. */
export function ReserveView() {
  return useClockHeard() ? <Reserving /> : <Loading what="the service's clock" />;
}

function Reserving() {
  const [form, setForm] = useState(emptyForm);
  const now = useServiceNow();
  const { terms, faults } = readForm(form, now);
  const settled = useSettled(terms, TYPING_MILLISECONDS);
  const isTyping = JSON.stringify(terms) !== JSON.stringify(settled);
  return (
    <>
      <div className="title-line">
        <h1>Reserve</h1>
        <span className="muted">
          What would be promised, where, and at what price. Nothing is promised before you say so.
        </span>
      </div>
      <div className="halves">
        <ReserveFields form={form} faults={faults} onChange={setForm} />
        {settled ? (
          <Answers terms={settled} isTyping={isTyping} onStart={(at) => setForm({ ...form, ...startFields(at) })} />
        ) : (
          <Unsaid />
        )}
      </div>
    </>
  );
}

function Unsaid() {
  return (
    <Empty title="Not enough is said yet">
      <p>Mend the marked fields; the answer appears here by itself.</p>
    </Empty>
  );
}

interface AnswersProps {
  readonly terms: ReserveTerms;
  readonly isTyping: boolean;
  /** Takes a start time into the form, in milliseconds since the epoch. */
  readonly onStart: (at: number) => void;
}

function Answers({ terms, isTyping, onStart }: AnswersProps) {
  const { data, error, isOutdated, readAt } = useLive(OFFERS, { input: terms }, CHANGES);
  if (error && !data) return <Failure error={error} />;
  if (!data) return <Loading what="offers" />;
  const { others, trajectory, ...best } = data.reservationOffer;
  const isOfOthers = isTyping || isOutdated;
  return (
    <div className="answers" aria-busy={isOfOthers}>
      {error && <Failure error={error} />}
      <PromiseButton terms={terms} offer={best} isOfOthers={isOfOthers} />
      <OfferTable offers={[best, ...others]} note={<Age at={readAt} />} />
      <PriceTable terms={terms} />
      <TrajectoryChart
        points={trajectory}
        site={best.site.name}
        asked={terms.probability}
        chosenAt={best.point?.submitAt ?? null}
      />
      <FinishBySize terms={terms} />
      <Calendar terms={terms} onStart={onStart} />
    </div>
  );
}

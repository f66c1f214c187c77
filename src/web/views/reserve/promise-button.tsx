import { Link } from '@tanstack/react-router';
import { useRef, useState } from 'react';
import { Button } from 'react-aria-components';
import { useMutation } from 'urql';
import { formatProcessorHours, formatShare, formatZoned } from '../../ui/format.ts';
import { Moment } from '../../ui/moment.tsx';
import { messageOf } from '../../ui/notice.tsx';
import type { ReserveTerms } from './form.ts';
import { type OfferRow, RESERVE } from './reserve.graphql.ts';

interface PromiseButtonProps {
  readonly terms: ReserveTerms;
  readonly offer: OfferRow;
  /** Whether the offer is for other terms: then it cannot be taken. */
  readonly isOfOthers: boolean;
}

interface Made {
  readonly jobId: string;
  readonly probability: number;
  readonly site: string;
  readonly startAt: string;
}

/** The best offer in a sentence, and the button that makes it a promise. */
export function PromiseButton({ terms, offer, isOfOthers }: PromiseButtonProps) {
  const [{ fetching }, reserve] = useMutation(RESERVE);
  const [made, setMade] = useState<Made | null>(null);
  const [fault, setFault] = useState<string | null>(null);
  // The same wish has the same key, so that a second press promises nothing twice.
  const key = useRef({ wish: '', text: '' });
  const promise = async () => {
    const wish = JSON.stringify(terms);
    if (key.current.wish !== wish) key.current = { wish, text: crypto.randomUUID() };
    const { data, error } = await reserve({ input: { ...terms, idempotencyKey: key.current.text } });
    const reservation = data?.reserve.reservation;
    setFault(error ? messageOf(error) : (data?.reserve.userErrors[0]?.message ?? null));
    if (!reservation) return;
    setMade({
      jobId: reservation.job.id,
      probability: reservation.promisedProbability,
      site: reservation.site?.name ?? '',
      startAt: terms.startAt,
    });
    // What is asked for after that is another one.
    key.current = { wish: '', text: '' };
  };
  return (
    <div className="offer">
      <Verdict terms={terms} offer={offer} />
      {offer.kind === 'PROMISE' && (
        <Button className="button primary" isDisabled={fetching || isOfOthers} onPress={() => void promise()}>
          Promise it
        </Button>
      )}
      <div aria-live="polite">
        {made && (
          <p className="made" data-made={made.jobId}>
            Promised with {formatShare(made.probability, 1)} at <bdi>{made.site}</bdi> for {formatZoned(made.startAt)}:{' '}
            <Link to="/jobs/$jobId" params={{ jobId: made.jobId }}>
              see its job
            </Link>
          </p>
        )}
        {fault && (
          <p className="fault" role="alert">
            {fault}
          </p>
        )}
      </div>
    </div>
  );
}

function Verdict({ terms, offer }: Pick<PromiseButtonProps, 'terms' | 'offer'>) {
  if (offer.kind === 'REFUSAL') {
    return (
      <p className="verdict">
        No site promises {formatShare(terms.probability, 1)}. The most is {formatShare(offer.promisedProbability, 1)} at{' '}
        <bdi>{offer.site.name}</bdi>. Ask for less, for a later start, or for fewer processors.
      </p>
    );
  }
  const padding = offer.charge?.expectedPaddingProcessorSeconds ?? 0;
  return (
    <p className="verdict">
      <strong>{formatShare(offer.promisedProbability, 1)}</strong> at <bdi>{offer.site.name}</bdi> for{' '}
      {formatZoned(terms.startAt)}, submitted at {offer.point && <Moment at={offer.point.submitAt} />}, with{' '}
      {formatProcessorHours(padding)} of padding expected.
    </p>
  );
}

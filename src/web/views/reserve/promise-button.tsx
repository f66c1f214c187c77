import { Link } from '@tanstack/react-router';
import { useState } from 'react';
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

/**
 * The key of each wish whose answer has not come. It outlives its button: asked again, the same wish promises nothing
 * twice, though its first answer was lost and the view was left.
 */
const keys = new Map<string, string>();

/** How long after a promise nothing is promised: a second press may still belong to the first. */
const PAUSE_MILLISECONDS = 2000;

/** Makes the promise. */
function usePromise(terms: ReserveTerms) {
  const [, reserve] = useMutation(RESERVE);
  const [isBusy, setBusy] = useState(false);
  const [made, setMade] = useState<Made | null>(null);
  const [fault, setFault] = useState<string | null>(null);
  const promise = async () => {
    const wish = JSON.stringify(terms);
    const key = keys.get(wish) ?? crypto.randomUUID();
    keys.set(wish, key);
    setBusy(true);
    const { data, error } = await reserve({ input: { ...terms, idempotencyKey: key } });
    const reservation = data?.reserve.reservation;
    setFault(error ? messageOf(error) : (data?.reserve.userErrors[0]?.message ?? null));
    if (!reservation) return setBusy(false);
    setMade({
      jobId: reservation.job.id,
      probability: reservation.promisedProbability,
      site: reservation.site?.name ?? '',
      startAt: terms.startAt,
    });
    // What is asked for after that is another one.
    keys.delete(wish);
    setTimeout(() => setBusy(false), PAUSE_MILLISECONDS);
  };
  return { made, fault, isBusy, promise };
}

/** The best offer in a sentence, and the button that makes it a promise. */
export function PromiseButton({ terms, offer, isOfOthers }: PromiseButtonProps) {
  const { made, fault, isBusy, promise } = usePromise(terms);
  return (
    <div className="offer">
      <Verdict terms={terms} offer={offer} />
      {offer.kind === 'PROMISE' && (
        <Button className="button primary" isDisabled={isBusy || isOfOthers} onPress={() => void promise()}>
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

import { Fragment } from 'react';
import { PlainTable } from '../../ui/chart-frame.tsx';
import { formatCount, formatSeconds } from '../../ui/format.ts';
import type { SiteDetail } from './site.graphql.ts';

/** The queues of a site with their limits. */
export function QueueTable({ queues }: { readonly queues: SiteDetail['queues'] }) {
  if (queues.length === 0) return null;
  const count = (value: number | null) => (value === null ? 'any' : formatCount(value));
  return (
    <section className="part" aria-label="Queues">
      <h2>Queues</h2>
      <PlainTable
        label="Queues and their limits"
        headings={['Queue', 'Largest job', 'Longest walltime', 'Processors in service', 'Closed because']}
        numbers={[1, 2, 3]}
        rows={queues.map(({ name, isDefault, maxProcessors, maxWalltimeSeconds, ...queue }) => [
          <span key="name">
            <bdi>{name}</bdi>
            {isDefault && ' (default)'}
          </span>,
          count(maxProcessors),
          maxWalltimeSeconds === null ? 'any' : formatSeconds(maxWalltimeSeconds),
          count(queue.usableProcessors ?? queue.processors),
          <Fragment key="why">
            {queue.barredTerm && `To jobs that name no ${TERMS[queue.barredTerm] ?? queue.barredTerm} of their own: `}
            <bdi>{queue.unusableBecause}</bdi>
          </Fragment>,
        ])}
      />
    </section>
  );
}

/** Fields of a job, in words. */
const TERMS: Readonly<Record<string, string>> = { account: 'account', qos: 'QOS', siteReservation: 'reservation' };

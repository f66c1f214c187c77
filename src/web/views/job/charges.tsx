import { PlainTable } from '../../ui/chart-frame.tsx';
import { formatProcessorHours, formatWord } from '../../ui/format.ts';
import { Moment } from '../../ui/moment.tsx';
import type { JobDetail } from './job.graphql.ts';

/** What a job was charged, once it is over. */
export function Charges({ job: { charges, state } }: { readonly job: JobDetail }) {
  return (
    <section className="part" aria-label="Charge">
      <h2>Charge</h2>
      {charges.length === 0 ? (
        <p className="muted">
          {state === 'ENDED' ? 'Nothing was charged, or not yet.' : 'It is charged when it is over.'}
        </p>
      ) : (
        <PlainTable
          label="Charges"
          headings={['For', 'Processor hours', 'Booked']}
          numbers={[1]}
          rows={charges.map(({ kind, processorSeconds, chargedAt }) => [
            formatWord(kind),
            formatProcessorHours(processorSeconds),
            <Moment key="at" at={chargedAt} />,
          ])}
        />
      )}
    </section>
  );
}

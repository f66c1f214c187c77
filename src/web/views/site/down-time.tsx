import { PlainTable } from '../../ui/chart-frame.tsx';
import { formatWord } from '../../ui/format.ts';
import { Moment, Since } from '../../ui/moment.tsx';
import type { SiteDetail } from './site.graphql.ts';

/** Why a site is taken to be down, or that it is not. */
export function DownTime({ downTime }: { readonly downTime: NonNullable<SiteDetail['downTime']> }) {
  const { isDown, suspendedAt, evidence } = downTime;
  return (
    <section className="part" aria-label="Down-time">
      <h2>Down-time</h2>
      {isDown ? (
        <PlainTable
          label="Evidence that it is down"
          headings={['Sign', 'Since', 'What it shows']}
          rows={evidence.map(({ sign, sinceAt, explanation }) => [
            formatWord(sign),
            <Since key="since" at={sinceAt} isPast />,
            <bdi key="why">{explanation}</bdi>,
          ])}
        />
      ) : (
        <p className="muted">Nothing speaks for its being down.</p>
      )}
      {suspendedAt && (
        <p className="warning">
          Promises there are suspended since <Moment at={suspendedAt} />.
        </p>
      )}
    </section>
  );
}

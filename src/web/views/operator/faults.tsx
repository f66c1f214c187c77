import { Link } from '@tanstack/react-router';
import { PlainTable } from '../../ui/chart-frame.tsx';
import { formatCount, formatWord } from '../../ui/format.ts';
import { Since } from '../../ui/moment.tsx';
import { StateTag } from '../jobs/state-tag.tsx';
import type { OperationsNow, SiteNow } from './operator.graphql.ts';

/** Ends that are no fault of anybody's. */
const USUAL = new Set(['COMPLETED', 'CANCELLED']);

/** Sites that something is wrong with, and jobs that ended otherwise than they should lately. */
export function Faults({ sites, ends }: { readonly sites: readonly SiteNow[]; readonly ends: OperationsNow['ends'] }) {
  const faulty = sites.filter((site) => faultsOf(site).length > 0);
  const unusual = ends.filter(({ outcome }) => !USUAL.has(outcome));
  return (
    <section className="part" aria-label="Faults">
      <h2>Faults</h2>
      {faulty.length === 0 ? (
        <p className="muted">Nothing is wrong with any site.</p>
      ) : (
        <PlainTable
          label="Sites with faults"
          headings={['Site', 'State', 'Seen', 'What is wrong']}
          rows={faulty.map((site) => [
            <Link key="site" to="/sites/$siteId" params={{ siteId: site.id }}>
              <bdi>{site.name}</bdi>
            </Link>,
            <StateTag key="state" state={site.state} />,
            site.observedAt === null ? 'never' : <Since key="seen" at={site.observedAt} isPast />,
            <bdi key="what">{faultsOf(site).join('; ')}</bdi>,
          ])}
        />
      )}
      {unusual.length === 0 ? (
        <p className="muted">No job failed in the last day.</p>
      ) : (
        <PlainTable
          label="Jobs that did not complete, in the last day"
          headings={['Site', 'Ended', 'Jobs']}
          numbers={[2]}
          rows={unusual.map(({ site, outcome, count }) => [
            site === null ? 'at no site' : <bdi key="site">{site}</bdi>,
            <StateTag key="outcome" state={outcome} />,
            formatCount(count),
          ])}
        />
      )}
    </section>
  );
}

function faultsOf({ fault, stale, downTime, model, state, openBreakers }: SiteNow): string[] {
  return [
    ...(fault === null ? [] : [fault]),
    ...openBreakers.map(({ service }) => `its ${service} is left alone`),
    ...(stale ? ['it was not seen for long'] : []),
    ...(downTime?.evidence ?? []).map(({ explanation }) => explanation),
    ...(downTime?.suspendedAt ? ['its promises are suspended'] : []),
    ...(model?.fault ? [`its model could not be used: ${model.fault}`] : []),
    ...(state === 'ACTIVE' ? [] : [`it is ${formatWord(state)}`]),
  ];
}

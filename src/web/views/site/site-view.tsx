import { getRouteApi, Link } from '@tanstack/react-router';
import { useLive } from '../../api/use-live.ts';
import { formatWord } from '../../ui/format.ts';
import { Age, Moment } from '../../ui/moment.tsx';
import { Empty, Failure, Loading } from '../../ui/notice.tsx';
import { StateTag } from '../jobs/state-tag.tsx';
import { BreakerNotes } from '../sites/open-breakers.tsx';
import { DownTime } from './down-time.tsx';
import { DrainButton } from './drain-button.tsx';
import { LoadChart } from './load-chart.tsx';
import { QueueCharts } from './queue-charts.tsx';
import { QueueTable } from './queue-table.tsx';
import { ScoreCard } from './score-card.tsx';
import { SITE, type SiteDetail, THIS_SITE_CHANGED } from './site.graphql.ts';
import { SiteFigures } from './site-figures.tsx';
import { WaitMap } from './wait-map.tsx';

const route = getRouteApi('/sites/$siteId');

/** One site: how busy it is and will be, how long jobs wait there, and how true what was said of it came. */
export function SiteView() {
  const { siteId: id } = route.useParams();
  const { data, error, readAt, refresh } = useLive(SITE, { id }, { query: THIS_SITE_CHANGED, variables: { id } });
  if (error && !data) return <Failure error={error} onRetry={refresh} />;
  if (!data) return <Loading what="the site" />;
  const { site, viewer } = data;
  if (!site) return <NoSuchSite />;
  const isAdmin = viewer.role === 'ADMIN';
  return (
    <>
      <div className="title-line">
        <h1>
          <bdi>{site.name}</bdi>
        </h1>
        <StateTag state={site.state} reason={site.fault} />
        <Age at={readAt} />
        <span className="spread" />
        {isAdmin && site.removedAt === null && <DrainButton site={site} onDone={refresh} />}
      </div>
      {error && <Failure error={error} />}
      <Where site={site} />
      <BreakerNotes breakers={site.openBreakers} />
      <SiteFigures site={site} />
      {site.downTime && <DownTime downTime={site.downTime} />}
      <QueueCharts observations={site.observations} />
      {isAdmin && <LoadChart id={site.id} />}
      <WaitMap site={site} />
      <ScoreCard id={site.id} />
      <QueueTable queues={site.queues} />
    </>
  );
}

function Where({ site: { adapter, tags, removedAt, fault, stale, maintenance } }: { readonly site: SiteDetail }) {
  return (
    <p className="where">
      by {formatWord(adapter)}
      {tags.map((tag) => (
        <span key={tag} className="label">
          <bdi>{tag}</bdi>
        </span>
      ))}
      {removedAt !== null && (
        <strong className="stale">
          {' '}
          removed <Moment at={removedAt} />
        </strong>
      )}
      {stale && <strong className="stale"> was not seen for long: what is said of it may be out of date</strong>}
      {fault && (
        <span className="fault">
          {' '}
          <bdi>{fault}</bdi>
        </span>
      )}
      {maintenance.map(({ startAt, endAt, processors, reason }) => (
        <span key={startAt} className="warning">
          {' '}
          {processors ?? 'all'} processors set aside from <Moment at={startAt} /> to <Moment at={endAt} />:{' '}
          <bdi>{reason}</bdi>
        </span>
      ))}
    </p>
  );
}

function NoSuchSite() {
  return (
    <Empty isPage title="There is no such site">
      <p>
        Its address may be cut off. Look among the <Link to="/sites">sites</Link>.
      </p>
    </Empty>
  );
}

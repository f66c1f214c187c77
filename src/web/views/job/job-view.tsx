import { getRouteApi, Link } from '@tanstack/react-router';
import { useLive } from '../../api/use-live.ts';
import { formatWord } from '../../ui/format.ts';
import { Age, Moment, Since } from '../../ui/moment.tsx';
import { Empty, Failure, Loading } from '../../ui/notice.tsx';
import { StateTag } from '../jobs/state-tag.tsx';
import { CancelButton } from './cancel-button.tsx';
import { Charges } from './charges.tsx';
import { FanChart } from './fan-chart.tsx';
import { boundsOf, JOB, type JobDetail, THIS_JOB_CHANGED } from './job.graphql.ts';
import { JobFigures } from './job-figures.tsx';
import { OutputTail } from './output-tail.tsx';
import { PlanTable } from './plan-table.tsx';
import { Timeline } from './timeline.tsx';

const route = getRouteApi('/jobs/$jobId');

/** One job: where it is, why there, when it starts, and what it costs. */
export function JobView() {
  const { jobId: id } = route.useParams();
  const { data, error, readAt, refresh } = useLive(JOB, { id }, { query: THIS_JOB_CHANGED, variables: { id } });
  if (error && !data) return <Failure error={error} onRetry={refresh} />;
  if (!data) return <Loading what="the job" />;
  if (!data.job) return <NoSuchJob />;
  const { job } = data;
  return (
    <>
      <div className="title-line">
        <h1>
          <bdi>{job.name}</bdi>
        </h1>
        <StateTag state={job.state} outcome={job.outcome} />
        <Age at={readAt} />
        <span className="spread" />
        {job.state !== 'ENDED' && <CancelButton job={job} />}
      </div>
      {error && <Failure error={error} onRetry={refresh} />}
      <Where job={job} />
      {job.reason && (
        <p className="reason">
          <bdi>{job.reason}</bdi>
        </p>
      )}
      <JobFigures job={job} />
      <Timeline job={job} />
      <Start job={job} />
      {job.plan && <PlanTable plan={job.plan} />}
      {job.startedAt && <OutputTail id={job.id} />}
      <Charges job={job} />
    </>
  );
}

function Where({ job: { site, queue, owner, labels } }: { readonly job: JobDetail }) {
  return (
    <p className="where">
      {site ? (
        <>
          at <bdi>{site.name}</bdi>
          {queue && (
            <>
              , queue <bdi>{queue}</bdi>
            </>
          )}
          {site.state !== 'ACTIVE' && `, which is ${formatWord(site.state)}`}
          {site.stale && site.observedAt && (
            <strong className="stale">
              {' '}
              last seen <Since at={site.observedAt} />: what is said of it may be out of date
            </strong>
          )}
        </>
      ) : (
        'at no site yet'
      )}
      , asked for by <bdi>{owner}</bdi>
      {labels.map(({ name, value }) => (
        <span key={name} className="label">
          <bdi>
            {name}={value}
          </bdi>
        </span>
      ))}
    </p>
  );
}

function Start({ job }: { readonly job: JobDetail }) {
  const isAhead = ['HELD', 'SUBMITTING', 'QUEUED'].includes(job.state);
  const forecast = job.plan?.chosen?.forecast;
  const submitAt = job.submittedAt ?? job.plan?.submitAt;
  if (!isAhead || !submitAt) return null;
  if (!forecast || boundsOf(forecast).length === 0) {
    return <Empty title="When it starts is not known: too little is known of this site's past." />;
  }
  return (
    <>
      <FanChart
        submitAt={Date.parse(submitAt)}
        bounds={boundsOf(forecast)}
        isWaiting={job.state === 'QUEUED'}
        predictor={forecast.predictor}
      />
      {forecast.outsideKnownRange && <p className="warning">{forecast.outsideKnownRange.explanation}</p>}
      {job.siteEstimatedStartAt && (
        <p className="muted">
          The site itself expects to start it at <Moment at={job.siteEstimatedStartAt} />.
        </p>
      )}
    </>
  );
}

function NoSuchJob() {
  return (
    <Empty isPage title="There is no such job">
      <p>
        It may belong to another tenant, or its address may be cut off. Look among the{' '}
        <Link to="/jobs" search={{}}>
          jobs
        </Link>
        .
      </p>
    </Empty>
  );
}

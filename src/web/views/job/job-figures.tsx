import { Figure, Figures } from '../../ui/figures.tsx';
import { formatCount, formatSeconds, formatShare } from '../../ui/format.ts';
import { Age, Moment, Since } from '../../ui/moment.tsx';
import { StateTag } from '../jobs/state-tag.tsx';
import type { JobDetail } from './job.graphql.ts';

/** What is known of a job in figures. */
export function JobFigures({ job }: { readonly job: JobDetail }) {
  const { queuePlace, reservation, deadline, expectedEndAt } = job;
  return (
    <Figures>
      <Figure name="Processors">{formatCount(job.processors)}</Figure>
      <Figure name="Walltime">{formatSeconds(job.submittedWalltimeSeconds ?? job.walltimeSeconds)}</Figure>
      {queuePlace && (
        <Figure name="Ahead in the queue" note={<Age at={queuePlace.observedAt} />}>
          {formatCount(queuePlace.ahead)} of {formatCount(queuePlace.waiting)} jobs,{' '}
          {formatCount(queuePlace.processorsAhead)} processors
        </Figure>
      )}
      {job.siteReason && (
        <Figure name="The site says">
          <bdi>{job.siteReason}</bdi>
        </Figure>
      )}
      {job.waitSeconds !== null && <Figure name="Waited">{formatSeconds(job.waitSeconds)}</Figure>}
      {expectedEndAt && (
        <Figure name="Expected to end">
          <Since at={expectedEndAt} />
        </Figure>
      )}
      {reservation && (
        <>
          <Figure name="Promised start">
            <Moment at={reservation.startAt} />
          </Figure>
          <Figure name="Promised">{formatShare(reservation.promisedProbability, 1)}</Figure>
          {reservation.decidedAt === null ? (
            <Figure name="Now" note={<Age at={reservation.recomputedAt} />}>
              {formatShare(reservation.currentProbability, 1)}
            </Figure>
          ) : (
            <Figure name="The promise was">
              <StateTag state={reservation.state} />
            </Figure>
          )}
        </>
      )}
      {deadline && (
        <Figure
          name="To finish by"
          note={deadline.promisedProbability && `promised ${formatShare(deadline.promisedProbability)}`}
        >
          <Moment at={deadline.at} />
        </Figure>
      )}
      {job.exitCode !== null && <Figure name="Exit status">{job.exitCode}</Figure>}
      {job.nativeId && (
        <Figure name="Id at the site">
          <bdi>{job.nativeId}</bdi>
        </Figure>
      )}
    </Figures>
  );
}

import { Figure, Figures } from '../../ui/figures.tsx';
import { formatCount, formatSeconds, formatShare } from '../../ui/format.ts';
import { Age, Since } from '../../ui/moment.tsx';
import type { SiteDetail } from './site.graphql.ts';

/** What is known of a site in figures. */
export function SiteFigures({ site }: { readonly site: SiteDetail }) {
  const { observedAt, freeProcessors, waitingJobs, runningJobs, promises, clockSkewSeconds } = site;
  const age = <Age at={observedAt} />;
  return (
    <Figures>
      <Figure name="Seen">{observedAt === null ? 'never' : <Since at={observedAt} isPast />}</Figure>
      <Figure name="Processors in service">{formatCount(site.usableProcessors ?? site.processors)}</Figure>
      {freeProcessors !== null && (
        <Figure name="Free" note={age}>
          {formatCount(freeProcessors)}
        </Figure>
      )}
      {runningJobs !== null && <Figure name="Running jobs">{formatCount(runningJobs)}</Figure>}
      {waitingJobs !== null && <Figure name="Waiting jobs">{formatCount(waitingJobs)}</Figure>}
      <Figure name="Promises kept">
        {promises.decided === 0
          ? 'none decided yet'
          : `${formatCount(promises.kept)} of ${formatCount(promises.decided)}, ${formatShare(promises.kept / promises.decided, 1)}`}
      </Figure>
      {promises.promised !== null && <Figure name="Promised on average">{formatShare(promises.promised, 1)}</Figure>}
      {clockSkewSeconds !== null && Math.abs(clockSkewSeconds) >= 1 && (
        <Figure name="Its clock">
          {formatSeconds(Math.abs(clockSkewSeconds))} {clockSkewSeconds > 0 ? 'ahead' : 'behind'}
        </Figure>
      )}
      <Figure name="Its past">
        {formatCount(site.records)} jobs, {site.learning ? 'being learned' : 'learned'}
      </Figure>
      {site.model && <Model model={site.model} />}
    </Figures>
  );
}

function Model({ model }: { readonly model: NonNullable<SiteDetail['model']> }) {
  const { ownerId, ownedSeconds, checkpoint, checkpointAgeSeconds, costSeconds, fault } = model;
  return (
    <>
      <Figure name="Model learned by" note={`for ${formatSeconds(ownedSeconds)}`}>
        {ownerId === null ? 'nobody now' : `process ${ownerId}`}
      </Figure>
      <Figure name="Model's age" note={checkpointAgeSeconds !== null && `checkpoint ${formatCount(checkpoint)}`}>
        {checkpointAgeSeconds === null ? 'no checkpoint yet' : formatSeconds(checkpointAgeSeconds)}
      </Figure>
      <Figure name="Learning took">{formatSeconds(costSeconds)} of CPU</Figure>
      {fault && (
        <Figure name="Model's fault">
          <bdi>{fault}</bdi>
        </Figure>
      )}
    </>
  );
}

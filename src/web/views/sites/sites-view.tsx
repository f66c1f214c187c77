import type { CSSProperties } from 'react';
import { type Column, DataTable } from '../../ui/data-table.tsx';
import { formatCount, formatSeconds, formatShare, formatWord } from '../../ui/format.ts';
import { Age, Since } from '../../ui/moment.tsx';
import { Empty, Failure, Loading } from '../../ui/notice.tsx';
import { RowLink } from '../../ui/row-link.tsx';
import { StateTag } from '../jobs/state-tag.tsx';
import { BreakerCell, breakerText } from './open-breakers.tsx';
import { type SiteRow, useSites } from './use-sites.ts';

/** Every site: how busy it is, how old that is, and how promises there came out. */
export function SitesView() {
  const { sites, isAdmin, error, readAt, refresh } = useSites();
  if (error && !sites) return <Failure error={error} onRetry={refresh} />;
  if (!sites) return <Loading what="sites" />;
  return (
    <>
      <div className="title-line">
        <h1>Sites</h1>
        <Age at={readAt} />
      </div>
      {error && <Failure error={error} />}
      <DataTable
        label="Sites"
        items={sites}
        columns={isAdmin ? ADMIN_COLUMNS : COLUMNS}
        idOf={({ id }) => id}
        file="sites"
        empty={
          <Empty title="No sites yet">
            <p>
              Register one: <code>npx gridcast sites register NAME --adapter slurm --configuration @site.json</code>
            </p>
          </Empty>
        }
      />
    </>
  );
}

function number(id: string, heading: string, width: number, value: (site: SiteRow) => number | null): Column<SiteRow> {
  const show = (site: SiteRow) => {
    const known = value(site);
    return known === null ? '' : formatCount(known);
  };
  return { id, heading, width, isNumber: true, value, show };
}

const COLUMNS: readonly Column<SiteRow>[] = [
  {
    id: 'name',
    heading: 'Name',
    value: ({ name }) => name,
    show: ({ id, name }) => (
      <RowLink to="/sites/$siteId" id={id}>
        <bdi>{name}</bdi>
      </RowLink>
    ),
  },
  {
    id: 'state',
    heading: 'State',
    width: 8,
    value: ({ state }) => state,
    show: ({ state, fault }) => <StateTag state={state} reason={fault} />,
  },
  {
    id: 'observedAt',
    heading: 'Seen',
    width: 12,
    value: ({ observedAt }) => observedAt,
    show: ({ observedAt, stale }) => (
      <span className={stale ? 'stale' : ''}>
        {observedAt === null ? 'never' : <Since at={observedAt} />}
        {stale && ', stale'}
      </span>
    ),
  },
  {
    id: 'load',
    heading: 'In use',
    width: 8,
    isNumber: true,
    value: loadOf,
    show: (site) => <Load share={loadOf(site)} />,
  },
  number('processors', 'Procs', 6, ({ usableProcessors, processors }) => usableProcessors ?? processors),
  number('freeProcessors', 'Free', 6, ({ freeProcessors }) => freeProcessors),
  number('runningJobs', 'Running', 6, ({ runningJobs }) => runningJobs),
  number('waitingJobs', 'Waiting', 6, ({ waitingJobs }) => waitingJobs),
  {
    id: 'kept',
    heading: 'Promises kept',
    width: 15,
    isNumber: true,
    value: ({ promises: { decided, kept } }) => (decided > 0 ? kept / decided : null),
    show: ({ promises: { decided, kept, promised } }) =>
      decided > 0
        ? `${kept} of ${decided}${promised === null ? '' : `, promised ${formatShare(promised)}`}`
        : 'none yet',
  },
  {
    id: 'breaker',
    heading: 'Breaker',
    width: 14,
    value: ({ openBreakers }) => breakerText(openBreakers),
    show: ({ openBreakers }) => <BreakerCell breakers={openBreakers} />,
  },
  { id: 'fault', heading: 'Fault', width: 14, value: ({ fault }) => fault, show: ({ fault }) => <bdi>{fault}</bdi> },
  { id: 'adapter', heading: 'Adapter', width: 7, value: ({ adapter }) => formatWord(adapter) },
];

/** For admins also who learns it, and how old what was learned is. */
const ADMIN_COLUMNS: readonly Column<SiteRow>[] = [
  ...COLUMNS,
  {
    id: 'modelOwner',
    heading: 'Learned by',
    width: 10,
    value: ({ model }) => model?.ownerId ?? null,
    show: ({ model }) => (model?.ownerId == null ? 'nobody now' : `process ${model.ownerId}`),
  },
  {
    id: 'modelAgeSeconds',
    heading: "Model's age",
    width: 8,
    isNumber: true,
    value: ({ model }) => model?.checkpointAgeSeconds ?? null,
    show: ({ model }) => (model?.checkpointAgeSeconds == null ? 'none yet' : formatSeconds(model.checkpointAgeSeconds)),
  },
];

/** The share of its processors that jobs hold. */
function loadOf({ processors, usableProcessors, freeProcessors }: SiteRow): number | null {
  const all = usableProcessors ?? processors;
  return freeProcessors === null || all === 0 ? null : 1 - freeProcessors / all;
}

function Load({ share }: { readonly share: number | null }) {
  if (share === null) return null;
  return (
    <span className="load">
      <span className="bar-of" style={{ '--share': `${100 * share}%` } as CSSProperties} /> {formatShare(share)}
    </span>
  );
}

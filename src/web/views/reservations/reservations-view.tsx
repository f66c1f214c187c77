import { Link } from '@tanstack/react-router';
import { useLive } from '../../api/use-live.ts';
import { type Column, DataTable } from '../../ui/data-table.tsx';
import { formatProcessorHours, formatShare } from '../../ui/format.ts';
import { Age, Moment } from '../../ui/moment.tsx';
import { Empty, Failure, Loading } from '../../ui/notice.tsx';
import { RowLink } from '../../ui/row-link.tsx';
import { StateTag } from '../jobs/state-tag.tsx';
import { GanttChart } from './gantt-chart.tsx';
import { RESERVATION_CHANGED, RESERVATIONS, type ReservationRow } from './reservations.graphql.ts';

/** The newest promises of the tenant, legs of co-allocations among them, and what became of each. */
export function ReservationsView() {
  const { data, error, readAt, refresh } = useLive(RESERVATIONS, {}, { query: RESERVATION_CHANGED });
  if (error && !data) return <Failure error={error} onRetry={refresh} />;
  if (!data) return <Loading what="reservations" />;
  const rows = data.reservations.edges.map(({ node }) => node);
  return (
    <>
      <div className="title-line">
        <h1>Reservations</h1>
        <Age at={readAt} />
      </div>
      {error && <Failure error={error} />}
      {rows.length > 0 && <GanttChart rows={rows} />}
      <DataTable
        label="Reservations"
        items={rows}
        total={data.reservations.totalCount}
        columns={COLUMNS}
        idOf={({ id }) => id}
        file="reservations"
        empty={
          <Empty title="No promises yet">
            <p>
              <Link to="/reserve">Reserve</Link> tells what would be promised, and promises it.
            </p>
          </Empty>
        }
      />
    </>
  );
}

const COLUMNS: readonly Column<ReservationRow>[] = [
  {
    id: 'job',
    heading: 'Job',
    value: ({ job }) => job.name,
    show: ({ job: { id, name } }) => (
      <RowLink to="/jobs/$jobId" id={id}>
        <bdi>{name}</bdi>
      </RowLink>
    ),
  },
  {
    id: 'state',
    heading: 'State',
    width: 8,
    value: ({ state }) => state,
    show: ({ state }) => <StateTag state={state} />,
  },
  {
    id: 'site',
    heading: 'Site',
    width: 9,
    value: ({ site }) => site?.name ?? null,
    show: ({ site }) => <bdi>{site?.name}</bdi>,
  },
  {
    id: 'startAt',
    heading: 'Start',
    width: 9,
    value: ({ startAt }) => startAt,
    show: ({ startAt }) => <Moment at={startAt} />,
  },
  {
    id: 'submitAt',
    heading: 'Submitted',
    width: 9,
    value: ({ submitAt }) => submitAt,
    show: ({ submitAt }) => <Moment at={submitAt} />,
  },
  share('probability', 'Asked', ({ probability }) => probability),
  share('promisedProbability', 'Promised', ({ promisedProbability }) => promisedProbability),
  share('currentProbability', 'Now', ({ currentProbability, decidedAt }) =>
    decidedAt === null ? currentProbability : null,
  ),
  {
    id: 'padding',
    heading: 'Padding expected',
    width: 12.5,
    isNumber: true,
    value: ({ expectedPaddingProcessorSeconds }) => expectedPaddingProcessorSeconds,
    show: ({ expectedPaddingProcessorSeconds: padding }) => formatProcessorHours(padding),
  },
  {
    id: 'group',
    heading: 'Co-allocation',
    width: 12,
    value: ({ coAllocation, leg }) => (coAllocation ? `leg ${leg ?? ''}: ${coAllocation.ruleText}` : null),
  },
];

function share(id: string, heading: string, value: (row: ReservationRow) => number | null): Column<ReservationRow> {
  const show = (row: ReservationRow) => {
    const known = value(row);
    return known === null ? '' : formatShare(known, 1);
  };
  return { id, heading, width: 7.5, isNumber: true, value, show };
}

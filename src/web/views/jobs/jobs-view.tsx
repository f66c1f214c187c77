import { getRouteApi } from '@tanstack/react-router';
import { type Column, DataTable } from '../../ui/data-table.tsx';
import { formatCount, formatSeconds } from '../../ui/format.ts';
import { Age, Moment } from '../../ui/moment.tsx';
import { Empty, Failure, Loading } from '../../ui/notice.tsx';
import { RowLink } from '../../ui/row-link.tsx';
import { BulkCancel } from './bulk-cancel.tsx';
import { FilterBar } from './filter-bar.tsx';
import { labelText, readJobFilters } from './filters.ts';
import type { JobRow } from './jobs.graphql.ts';
import { LabelLink } from './label-link.tsx';
import { SavedViews } from './saved-views.tsx';
import { StateTag } from './state-tag.tsx';
import { useJobs } from './use-jobs.ts';

const route = getRouteApi('/jobs');

/** The jobs of the tenant, each as it is now. */
export function JobsView() {
  // The router lets through beside them whatever else is in the address, and what was left out.
  const filters = readJobFilters(route.useSearch());
  const jobs = useJobs(filters);
  const isFiltered = Object.keys(filters).length > 0;
  return (
    <>
      <div className="title-line">
        <h1>Jobs</h1>
        <Age at={jobs.readAt} />
      </div>
      <FilterBar filters={filters} />
      <SavedViews filters={filters} />
      {jobs.error && <Failure error={jobs.error} />}
      {jobs.readAt === null && !jobs.error ? (
        <Loading what="jobs" />
      ) : (
        <DataTable
          label="Jobs"
          items={jobs.rows}
          total={jobs.total}
          columns={COLUMNS}
          idOf={({ id }) => id}
          file="jobs"
          empty={isFiltered ? <NothingFits /> : <NoJobs />}
        >
          <BulkCancel filters={filters} />
        </DataTable>
      )}
    </>
  );
}

function NoJobs() {
  return (
    <Empty title="No jobs yet">
      <p>
        Submit one: <code>npx gridcast submit --processors 8 --walltime 1h job.sh</code>. It appears here by itself.
      </p>
    </Empty>
  );
}

function NothingFits() {
  return (
    <Empty title="No job fits these filters">
      <p>Take one away, or wait: what comes to fit appears by itself.</p>
    </Empty>
  );
}

const COLUMNS: readonly Column<JobRow>[] = [
  {
    id: 'name',
    heading: 'Name',
    value: ({ name }) => name,
    show: ({ id, name }) => (
      <RowLink to="/jobs/$jobId" id={id}>
        <bdi>{name}</bdi>
      </RowLink>
    ),
  },
  {
    id: 'state',
    heading: 'State',
    width: 8.5,
    value: ({ outcome, state }) => outcome ?? state,
    show: (job) => <StateTag state={job.state} outcome={job.outcome} reason={job.reason} />,
  },
  {
    id: 'site',
    heading: 'Site',
    width: 7,
    value: ({ site }) => site?.name ?? null,
    show: ({ site }) => <bdi>{site?.name}</bdi>,
  },
  { id: 'queue', heading: 'Queue', width: 6, value: ({ queue }) => queue, show: ({ queue }) => <bdi>{queue}</bdi> },
  {
    id: 'processors',
    heading: 'Procs',
    width: 5,
    isNumber: true,
    value: ({ processors }) => processors,
    show: ({ processors }) => formatCount(processors),
  },
  {
    id: 'walltimeSeconds',
    heading: 'Walltime',
    width: 7,
    isNumber: true,
    value: ({ walltimeSeconds }) => walltimeSeconds,
    show: ({ walltimeSeconds }) => formatSeconds(walltimeSeconds),
  },
  {
    id: 'waitSeconds',
    heading: 'Waited',
    width: 7,
    isNumber: true,
    value: ({ waitSeconds }) => waitSeconds,
    show: ({ waitSeconds }) => (waitSeconds === null ? '' : formatSeconds(waitSeconds)),
  },
  moments('createdAt', 'Asked', ({ createdAt }) => createdAt),
  moments('startedAt', 'Started', ({ startedAt }) => startedAt),
  moments('endedAt', 'Ended', ({ endedAt }) => endedAt),
  {
    id: 'labels',
    heading: 'Labels',
    width: 8,
    value: ({ labels }) => labels.map(labelText).join(' ') || null,
    show: ({ labels }) => labels.map(labelText).map((label) => <LabelLink key={label} label={label} />),
  },
  { id: 'owner', heading: 'Owner', width: 8, value: ({ owner }) => owner, show: ({ owner }) => <bdi>{owner}</bdi> },
];

function moments(id: string, heading: string, of: (job: JobRow) => string | null): Column<JobRow> {
  return {
    ...{ id, heading, width: 8.8, value: of },
    show: (job) => (of(job) === null ? '' : <Moment at={of(job)} />),
  };
}

import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { type CombinedError, type OperationResult, useClient, useSubscription } from 'urql';
import { awaySince, reconnects } from '../../api/client.ts';
import { serviceNow } from '../../api/clock.ts';
import type { ResultOf, VariablesOf } from '../../api/graphql.ts';
import { useStore } from '../../api/store.ts';
import { useAgain } from '../../api/use-answer.ts';
import { useSettled } from '../../api/use-settled.ts';
import { conditionsOf, type JobConditions, type JobFilters, labelText } from './filters.ts';
import { type JobPages, noPages, readAnew, rowsOf, withPage, withTold } from './job-pages.ts';
import { JOB_CHANGED, JOBS, type JobRow } from './jobs.graphql.ts';

const PAGE = 100;
const TYPING_MILLISECONDS = 250;

/** At most so many are held; older ones are found by filters. */
const MOST_JOBS = 5000;

/** The jobs that filters let through, as they are now. */
export interface Jobs {
  readonly rows: readonly JobRow[];
  readonly total: number;
  readonly error: CombinedError | null;
  readonly readAt: number | null;
}

/** What the service filters by. */
type Filtered = [conditions: JobConditions | null, text: string | null, includeReserved: boolean];

function filteredBy({ text, ...filters }: JobFilters): Filtered {
  return [conditionsOf(filters), text ?? null, filters.reserved === true];
}

interface Read extends Omit<Jobs, 'rows' | 'total'> {
  readonly pages: JobPages<JobRow>;
}

const NOTHING: Read = { pages: noPages(), error: null, readAt: null };

/** Reads page after page, then takes in every change as it is told. */
export function useJobs(filters: JobFilters): Jobs {
  const client = useClient();
  const [read, setRead] = useState<Read>(NOTHING);
  const opened = useStore(reconnects);
  const isAway = useStore(awaySince) !== null;
  const key = JSON.stringify(useSettled(filteredBy(filters), TYPING_MILLISECONDS));
  const round = useRef(0);
  const readAll = useCallback(async () => {
    const own = ++round.current;
    const [filter, soughtText, includeReserved] = JSON.parse(key) as Filtered;
    setRead((before) => ({ ...before, pages: readAnew(before.pages) }));
    let held = 0;
    for (let after: string | null = null; ; ) {
      const variables: VariablesOf<typeof JOBS> = { first: PAGE, after, filter, text: soughtText, includeReserved };
      const { data, error }: OperationResult<ResultOf<typeof JOBS>> = await client.query(JOBS, variables).toPromise();
      if (own !== round.current) return;
      if (!data) return setRead((before) => ({ ...before, error: error ?? null }));
      const { edges, totalCount, pageInfo } = data.jobs;
      const { hasNextPage, endCursor } = pageInfo;
      held += edges.length;
      const rows = edges.map(({ node }) => node);
      const isLast = !hasNextPage || held >= MOST_JOBS;
      const page = { rows, totalCount, isFirst: after === null, isLast, hasMore: hasNextPage };
      const readAt = serviceNow();
      setRead(({ pages }) => ({ pages: withPage(pages, page), error: null, readAt }));
      if (isLast) return;
      after = endCursor ?? null;
    }
  }, [client, key]);
  useEffect(() => {
    // Anew whenever a connection was opened: what changed meanwhile was told to nobody.
    if (!isAway && opened >= 0) void readAll();
  }, [readAll, opened, isAway]);
  useAgain(read.error, readAll);
  useSubscription({ query: JOB_CHANGED }, (_, told) => {
    const { jobChanged: job } = told;
    const isWanted = isLetThrough(job, filters);
    const readAt = serviceNow();
    setRead((before) => ({ ...before, pages: withTold(before.pages, job, isWanted), readAt }));
    return told;
  });
  const { pages, ...state } = read;
  const rows = useMemo(() => rowsOf(pages), [pages]);
  return { ...state, rows, total: pages.total };
}

type ToldJob = ResultOf<typeof JOB_CHANGED>['jobChanged'];

function isLetThrough(job: ToldJob, { states, siteId, label, text, reserved }: JobFilters): boolean {
  return (
    (states?.includes(job.state) ?? true) &&
    (siteId === undefined || job.site?.id === siteId) &&
    (label === undefined || job.labels.map(labelText).includes(label)) &&
    (text === undefined || holds(job, text)) &&
    (reserved === true || job.reservation === null)
  );
}

/** Whether a job holds a text as the service looks for it. */
function holds({ name, idempotencyKey, labels }: JobRow, text: string): boolean {
  const wanted = text.toLowerCase();
  return [name, idempotencyKey ?? '', ...labels.map(labelText)].some((value) => value.toLowerCase().includes(wanted));
}

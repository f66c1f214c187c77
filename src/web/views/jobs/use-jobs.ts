import { useCallback, useEffect, useRef, useState } from 'react';
import { type CombinedError, type OperationResult, useClient, useSubscription } from 'urql';
import { awaySince, reconnects } from '../../api/client.ts';
import { serviceNow } from '../../api/clock.ts';
import type { ResultOf, VariablesOf } from '../../api/graphql.ts';
import { useStore } from '../../api/store.ts';
import { useSettled } from '../../api/use-settled.ts';
import { conditionsOf, type JobConditions, type JobFilters, labelText } from './filters.ts';
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
  /** Whether more pages are being read. */
  readonly isReading: boolean;
  readonly readAt: number | null;
}

/** What the service filters by. */
type Filtered = [conditions: JobConditions | null, text: string | null, includeReserved: boolean];

interface Read extends Jobs {
  readonly byId: ReadonlyMap<string, JobRow>;
}

const NOTHING: Read = { rows: [], byId: new Map(), total: 0, error: null, isReading: true, readAt: null };

/** Reads page after page, then takes in every change as it is told. */
export function useJobs(filters: JobFilters): Jobs {
  const client = useClient();
  const [read, setRead] = useState<Read>(NOTHING);
  const opened = useStore(reconnects);
  const isAway = useStore(awaySince) !== null;
  const { text, ...filtered } = filters;
  const wanted: Filtered = [conditionsOf(filtered), text ?? null, filters.reserved === true];
  const key = JSON.stringify(useSettled(wanted, TYPING_MILLISECONDS));
  const round = useRef(0);
  const readAll = useCallback(async () => {
    const own = ++round.current;
    const [filter, soughtText, includeReserved] = JSON.parse(key) as Filtered;
    const byId = new Map<string, JobRow>();
    for (let after: string | null = null; byId.size < MOST_JOBS; ) {
      const variables: VariablesOf<typeof JOBS> = { first: PAGE, after, filter, text: soughtText, includeReserved };
      const { data, error }: OperationResult<ResultOf<typeof JOBS>> = await client.query(JOBS, variables).toPromise();
      if (own !== round.current) return;
      if (!data) return setRead((before) => ({ ...before, error: error ?? null, isReading: false }));
      for (const { node } of data.jobs.edges) byId.set(node.id, node);
      const { hasNextPage, endCursor } = data.jobs.pageInfo;
      const rows = [...byId.values()];
      setRead({
        rows,
        byId: new Map(byId),
        total: data.jobs.totalCount,
        error: null,
        isReading: hasNextPage,
        readAt: serviceNow(),
      });
      if (!hasNextPage) return;
      after = endCursor ?? null;
    }
  }, [client, key]);
  useEffect(() => {
    // Anew whenever a connection was opened: what changed meanwhile was told to nobody.
    if (!isAway && opened >= 0) void readAll();
  }, [readAll, opened, isAway]);
  useSubscription({ query: JOB_CHANGED }, (_, told) => {
    const { jobChanged: job } = told;
    setRead((before) => withJob(before, job, filters, job.reservation !== null));
    return told;
  });
  return read;
}

function withJob(before: Read, job: JobRow, filters: JobFilters, isReserved: boolean): Read {
  const { states, siteId, label, text, reserved } = filters;
  const isWanted =
    (states?.includes(job.state) ?? true) &&
    (siteId === undefined || job.site?.id === siteId) &&
    (label === undefined || job.labels.map(labelText).includes(label)) &&
    (text === undefined || holds(job, text)) &&
    (reserved === true || !isReserved);
  const wasThere = before.byId.has(job.id);
  if (!isWanted && !wasThere) return before;
  const byId = new Map(isWanted && !wasThere ? [[job.id, job], ...before.byId] : before.byId);
  if (isWanted) byId.set(job.id, job);
  else byId.delete(job.id);
  const total = before.total + (isWanted ? 1 : 0) - (wasThere ? 1 : 0);
  return { ...before, byId, rows: [...byId.values()], total, readAt: serviceNow() };
}

/** Whether a job holds a text as the service looks for it. */
function holds({ name, idempotencyKey, labels }: JobRow, text: string): boolean {
  const wanted = text.toLowerCase();
  return [name, idempotencyKey ?? '', ...labels.map(labelText)].some((value) => value.toLowerCase().includes(wanted));
}

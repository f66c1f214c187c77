import { setTimeout as sleep } from 'node:timers/promises';

/** What Gridcast's API tells of an execution. */
export interface ToldExecution {
  readonly id: string;
  readonly state: string;
  readonly outcome: string | null;
  readonly reason: string | null;
  readonly site: { readonly name: string } | null;
  readonly nativeId: string | null;
  /** ISO 8601. */
  readonly submittedAt: string | null;
  readonly startedAt: string | null;
  readonly endedAt: string | null;
  readonly exitCode: number | null;
  readonly submissions: readonly {
    readonly key: string;
    readonly state: string;
    readonly nativeId: string | null;
    readonly site: { readonly name: string };
  }[];
  readonly charges: readonly { readonly kind: string; readonly processorSeconds: number }[];
  /** The promise it is the body of; null for a job. */
  readonly promise: ToldPromise | null;
}

/** What it tells of a promise. */
export interface ToldPromise {
  readonly state: string;
  readonly startAt: string;
  readonly mode: string;
  readonly promisedProbability: number;
}

/** Sends a document and returns its data. */
export type Ask = (query: string, variables: object) => Promise<Readonly<Record<string, unknown>>>;

const JOB = `id state outcome reason site { name } nativeId submittedAt startedAt endedAt exitCode
  submissions { key state nativeId site { name } } charges { kind processorSeconds }`;

const JOBS = `query Jobs($after: String) {
  jobs(first: 50, after: $after) { edges { node { ${JOB} } } pageInfo { endCursor hasNextPage } }
}`;

const RESERVATIONS = `query Reservations($after: String) {
  reservations(first: 50, after: $after) {
    edges { node { state startAt mode promisedProbability job { ${JOB} } } } pageInfo { endCursor hasNextPage }
  }
}`;

type ToldJob = Omit<ToldExecution, 'promise'>;
type ToldReservation = ToldPromise & { readonly job: ToldJob };

interface Page<Node> {
  readonly edges: readonly { readonly node: Node }[];
  readonly pageInfo: { readonly endCursor: string | null; readonly hasNextPage: boolean };
}

/** Every execution of the caller's tenant, bodies of reservations and legs of co-allocations included. */
export async function allExecutions(ask: Ask): Promise<ToldExecution[]> {
  const jobs = await allPages<ToldJob>(ask, JOBS, 'jobs');
  const reservations = await allPages<ToldReservation>(ask, RESERVATIONS, 'reservations');
  return [
    ...jobs.map((job) => ({ ...job, promise: null })),
    ...reservations.map(({ job, state, startAt, mode, promisedProbability }) => ({
      ...job,
      promise: { state, startAt, mode, promisedProbability },
    })),
  ];
}

async function allPages<Node>(ask: Ask, query: string, field: string): Promise<Node[]> {
  const nodes: Node[] = [];
  for (let after: string | null = null; ; ) {
    const data = await ask(query, { after });
    const { edges, pageInfo } = data[field] as Page<Node>;
    nodes.push(...edges.map(({ node }) => node));
    if (!pageInfo.hasNextPage) return nodes;
    after = pageInfo.endCursor;
  }
}

/** Calls an API as the bearer of a token. */
export function askAs(url: string, token: string): Ask {
  return async (query, variables) => {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
      body: JSON.stringify({ query, variables }),
      signal: AbortSignal.timeout(60_000),
    });
    const answer = (await response.json()) as { data?: Record<string, unknown>; errors?: unknown };
    if (answer.errors || !answer.data) throw new Error(JSON.stringify(answer.errors ?? answer));
    return answer.data;
  };
}

const PAUSE_MILLISECONDS = 1000;

/** Asks again while nobody answers, as after a kill, for so many seconds at most. For questions only. */
export function patiently(ask: Ask, seconds: number): Ask {
  return async (query, variables) => {
    const giveUpAt = performance.now() + seconds * 1000;
    for (;;) {
      try {
        return await ask(query, variables);
      } catch (error) {
        if (performance.now() > giveUpAt) throw error;
        await sleep(PAUSE_MILLISECONDS);
      }
    }
  };
}

import { setTimeout as sleep } from 'node:timers/promises';
import autocannon from 'autocannon';
import { RandomStream } from '../../sim/random.ts';
import type { SiteAnswer } from '../client/answers.ts';
import { DOCUMENTS } from '../client/documents.ts';
import type { Bench, BenchRow } from './bench.ts';
import { type BenchStack, type BenchStackOptions, startBenchStack } from './bench-stack.ts';
import { readSpent, spentPerPiece } from './where-time-goes.ts';

const CLIENTS = 50;
const RECORDS_PER_SITE = 20_000;
const MEGABYTE = 1 << 20;
const WARM_UP_SECONDS = 3;

/** What a job asks for. */
interface Size {
  readonly processors: number;
  readonly walltimeSeconds: number;
}

const PLAN = `query Plan($input: PlanInput!) { plan(input: $input) {
  chosen { site { name } } candidates { site { name } explanation lostBecause forecast { pointSeconds } } } }`;
const FORECAST = `query Forecast($siteId: ID!, $input: ForecastInput!) { forecast(siteId: $siteId, input: $input) {
  pointSeconds boundSeconds(probability: 0.95) probabilityToStartWithin(seconds: 3600) } }`;

const QUESTIONS = {
  plan: (_: BenchStack, input: Size) => ({ query: PLAN, variables: { input } }),
  planAtNamedSites: ({ sites }: BenchStack, size: Size) => {
    return { query: PLAN, variables: { input: { ...size, siteIds: sites.map(({ id }) => id) } } };
  },
  forecast: ({ sites }: BenchStack, input: Size) => ({ query: FORECAST, variables: { siteId: sites[0]?.id, input } }),
} as const;

/** Of one size, which is what a gateway asks again and again, and of sizes of which hardly two are alike. */
const SIZES = { one: [{ processors: 8, walltimeSeconds: 3600 }], drawn: drawnSizes(1000) } as const;

function drawnSizes(count: number): Size[] {
  const random = new RandomStream(1);
  return Array.from({ length: count }, () => ({
    processors: 1 + Math.floor(64 * random.uniform()),
    walltimeSeconds: 600 + 60 * Math.floor(1000 * random.uniform()),
  }));
}

/** What is measured at a time. */
interface Load {
  readonly name: keyof typeof QUESTIONS;
  readonly sizes: keyof typeof SIZES;
  /** Questions a second in all; as many as are answered unless told. */
  readonly rate?: number;
  /** What goes on beside it. */
  readonly meanwhile?: string;
}

const AS_MANY_AS_ARE_ANSWERED: readonly Load[] = (['plan', 'planAtNamedSites', 'forecast'] as const).flatMap((name) =>
  (['one', 'drawn'] as const).map((sizes) => ({ name, sizes })),
);
/** So few that a core is left; the fourth site is not asked. */
const FEWER: readonly Load[] = [
  { name: 'planAtNamedSites', sizes: 'drawn', rate: 100 },
  { name: 'forecast', sizes: 'drawn', rate: 300 },
];

/**
 * Latency of the API's two dry questions over three sites with long histories, under many concurrent clients: as many
 * as are answered, and fewer, without and with a fourth site that is learned meanwhile.
 */
export const apiBench: Bench = {
  name: 'api',
  describe: `latency of plan and forecast, 3 sites x ${RECORDS_PER_SITE} records, ${CLIENTS} concurrent clients, one API process; then at ${FEWER.map(({ rate }) => rate).join(' and ')} a second, without and with a fourth site that is learned meanwhile`,
  async run({ seconds, onProgress }) {
    const stack = await startBenchStack({
      clockScale: 1,
      recordsPerSite: RECORDS_PER_SITE,
      environment: { GRIDCAST_OBSERVE_SECONDS: '2', GRIDCAST_HISTORY_SECONDS: '2' },
      sites: [64, 128, 256, LATE_PROCESSORS].map(siteOf),
      registersLater: [siteOf(LATE_PROCESSORS).name],
      onProgress: (note) => onProgress(0, STEPS, note),
    });
    const rows: BenchRow[] = [];
    const take = async (load: Load) => {
      await measure(stack, load, WARM_UP_SECONDS);
      rows.push(await measure(stack, load, seconds));
      onProgress(rows.length, STEPS, `${load.name}, ${load.sizes}`);
    };
    try {
      for (const load of AS_MANY_AS_ARE_ANSWERED) await take(load);
      for (const load of FEWER) await take({ ...load, meanwhile: 'nothing' });
      await untilLateOneIsBeingLearned(stack);
      for (const load of FEWER) await take({ ...load, meanwhile: 'a site is learned' });
      if (!(await lateOne(stack))?.learning)
        throw new Error('the fourth site was learned too soon; give --seconds less');
      return rows;
    } finally {
      await stack.stop();
    }
  },
};

const STEPS = AS_MANY_AS_ARE_ANSWERED.length + 2 * FEWER.length;
const LATE_PROCESSORS = 512;

function siteOf(processors: number): BenchStackOptions['sites'][number] {
  const workload = { generated: { seed: processors, load: 0.75 } };
  return { name: `p${processors}`, processors, workload, warmDays: WARM_DAYS };
}

/** Registers the fourth site and waits until its history has come in and is being lived through. */
async function untilLateOneIsBeingLearned(stack: BenchStack): Promise<void> {
  await stack.register([siteOf(LATE_PROCESSORS).name]);
  for (let poll = 0; poll < PATIENCE_POLLS; poll++) {
    const site = await lateOne(stack);
    if (site?.learning && site.records >= RECORDS_PER_SITE) return;
    await sleep(POLL_MILLISECONDS);
  }
  throw new Error('nobody began to learn the fourth site');
}

async function lateOne({ client }: BenchStack): Promise<SiteAnswer | undefined> {
  const { sites } = await client.request<{ sites: SiteAnswer[] }>(DOCUMENTS.sites);
  return sites.find(({ name }) => name === siteOf(LATE_PROCESSORS).name);
}

const POLL_MILLISECONDS = 500;
const PATIENCE_POLLS = 600;

/** One after the other, whoever of the clients asks. */
function* inTurn<Item>(items: readonly Item[]): Generator<Item> {
  for (;;) yield* items;
}

async function measure(stack: BenchStack, load: Load, seconds: number): Promise<BenchRow> {
  const { name, sizes, rate, meanwhile } = load;
  const bodies = inTurn(SIZES[sizes].map((size) => JSON.stringify(QUESTIONS[name](stack, size))));
  const before = await readSpent(stack);
  const result = await autocannon({
    url: stack.url,
    connections: CLIENTS,
    duration: seconds,
    ...(rate !== undefined && { overallRate: rate }),
    headers: { 'content-type': 'application/json', authorization: `Bearer ${stack.token}` },
    requests: [{ method: 'POST', setupRequest: (request) => ({ ...request, body: bodies.next().value as string }) }],
  });
  if (result.non2xx > 0 || result.errors > 0)
    throw new Error(`${name}: ${result.non2xx} refused, ${result.errors} failed`);
  const each = spentPerPiece(before, await readSpent(stack), result.requests.total);
  return {
    operation: name,
    sizes,
    records: stack.sites.map(({ records }) => records).join('/'),
    clients: CLIENTS,
    ...(meanwhile !== undefined && { meanwhile }),
    perSecond: Math.round(result.requests.average),
    p50Milliseconds: result.latency.p50,
    p99Milliseconds: result.latency.p99,
    ...costOfOne(each),
    apiEventLoopP99Milliseconds: round(1000 * (await stack.apiMetric('nodejs_eventloop_lag_p99_seconds'))),
    apiMegabytes: Math.round((await stack.apiMetric('process_resident_memory_bytes')) / MEGABYTE),
    workerMegabytes: Math.round((await stack.workerMetric('process_resident_memory_bytes')) / MEGABYTE),
  };
}

/** Where the time of one request goes, in milliseconds of CPU, and how often PostgreSQL is asked for it. */
function costOfOne(each: ReadonlyMap<string, number>): BenchRow {
  const statements = [...each].filter(([what]) => what.startsWith('statements: api: '));
  return {
    apiMainThreadCpuMilliseconds: round(each.get('CPU: api, main thread') ?? 0),
    apiOtherThreadsCpuMilliseconds: round(each.get('CPU: api, its other threads') ?? 0),
    postgresCpuMilliseconds: round(each.get('CPU: PostgreSQL') ?? 0),
    statements: round(statements.reduce((sum, [, count]) => sum + count, 0)),
  };
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}

/** Enough for the smallest machine to have run so many jobs. */
const WARM_DAYS = 700;

import autocannon from 'autocannon';
import { RandomStream } from '../../sim/random.ts';
import type { Bench, BenchRow } from './bench.ts';
import { type BenchStack, startBenchStack } from './bench-stack.ts';
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

/** Latency of the API's two dry questions over three sites with long histories, under many concurrent clients. */
export const apiBench: Bench = {
  name: 'api',
  describe: `latency of plan and forecast, 3 sites x ${RECORDS_PER_SITE} records, ${CLIENTS} concurrent clients, one API process`,
  async run({ seconds, onProgress }) {
    const stack = await startBenchStack({
      clockScale: 1,
      recordsPerSite: RECORDS_PER_SITE,
      environment: { GRIDCAST_OBSERVE_SECONDS: '2', GRIDCAST_HISTORY_SECONDS: '2' },
      sites: [64, 128, 256].map((processors) => ({
        name: `p${processors}`,
        processors,
        workload: { generated: { seed: processors, load: 0.75 } },
        warmDays: WARM_DAYS,
      })),
      onProgress: (note) => onProgress(0, 4, note),
    });
    try {
      const rows: BenchRow[] = [];
      for (const name of ['plan', 'forecast'] as const) {
        for (const sizes of ['one', 'drawn'] as const) {
          await measure(stack, name, sizes, WARM_UP_SECONDS);
          rows.push(await measure(stack, name, sizes, seconds));
          onProgress(rows.length, 4, `${name}, ${sizes}`);
        }
      }
      return rows;
    } finally {
      await stack.stop();
    }
  },
};

/** One after the other, whoever of the clients asks. */
function* inTurn<Item>(items: readonly Item[]): Generator<Item> {
  for (;;) yield* items;
}

async function measure(
  stack: BenchStack,
  name: keyof typeof QUESTIONS,
  sizes: keyof typeof SIZES,
  seconds: number,
): Promise<BenchRow> {
  const bodies = inTurn(SIZES[sizes].map((size) => JSON.stringify(QUESTIONS[name](stack, size))));
  const before = await readSpent(stack);
  const result = await autocannon({
    url: stack.url,
    connections: CLIENTS,
    duration: seconds,
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

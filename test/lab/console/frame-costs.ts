import type { Browser, Page } from 'playwright-core';

/** What the frames of a page cost, each in milliseconds of CPU by kind: these do not grow with what else runs. */
export interface FrameCosts {
  /** Our scripts and the library's, with what the engine does for them. */
  readonly script: number;
  readonly style: number;
  readonly layout: number;
  /** Recording what is to be painted, and handing it to the compositor. */
  readonly paint: number;
  /** All else of the page's main thread. */
  readonly other: number;
  /** Painting tiles, on threads of their own, for without a GPU the processor does it. */
  readonly raster: number;
  /** Putting tiles together to what is seen, on threads of their own, too. */
  readonly compose: number;
}

interface TraceEvent {
  readonly ph: string;
  readonly name: string;
  readonly pid: number;
  readonly tid: number;
  /** Microseconds: when it began, how long it took by the wall, and how much of that the thread ran. */
  readonly ts: number;
  readonly dur?: number;
  readonly tdur?: number;
  readonly args?: { readonly name?: string };
}

type Kind = Exclude<keyof FrameCosts, 'raster' | 'compose'>;

const KINDS: readonly (readonly [Kind, RegExp])[] = [
  ['style', /^(UpdateLayoutTree|RecalculateStyles|ParseAuthorStyleSheet|ScheduleStyleRecalculation)$/],
  ['layout', /^(Layout|InvalidateLayout)$/],
  [
    'paint',
    /^(PrePaint|Paint|Layerize|Commit|UpdateLayer|UpdateLayerTree|CompositeLayers|ScrollLayer|IntersectionObserverController::computeIntersections)$/,
  ],
  [
    'script',
    /^(FunctionCall|FireAnimationFrame|EvaluateScript|RunMicrotasks|EventDispatch|TimerFire|v8\.|V8\.|MinorGC|MajorGC|BlinkGC)/,
  ],
];
const CATEGORIES = ['toplevel', 'devtools.timeline', 'disabled-by-default-devtools.timeline', 'v8', 'v8.execute'];

/** Does something to a page while its browser writes down what it does. @returns what a frame cost on average */
export async function frameCostsOf(
  browser: Browser,
  page: Page,
  act: () => Promise<{ readonly frames: number }>,
): Promise<FrameCosts> {
  await browser.startTracing(page, { categories: CATEGORIES });
  const { frames } = await act();
  const trace = JSON.parse((await browser.stopTracing()).toString('utf8')) as { traceEvents: TraceEvent[] };
  return costsOf(trace.traceEvents, frames);
}

function costsOf(events: readonly TraceEvent[], frames: number): FrameCosts {
  const named = (name: string) =>
    events.filter((event) => event.ph === 'M' && event.name === 'thread_name' && event.args?.name?.startsWith(name));
  const painted = new Map<number, number>();
  for (const { pid } of events.filter(({ name }) => name === 'FireAnimationFrame'))
    painted.set(pid, (painted.get(pid) ?? 0) + 1);
  const [pid] = [...painted].sort(([, left], [, right]) => right - left)[0] ?? [];
  const main = named('CrRendererMain').find((thread) => thread.pid === pid);
  if (!main) throw new Error('the trace has no page that drew frames');
  const costs = { script: 0, style: 0, layout: 0, paint: 0, other: 0 };
  for (const { name, own } of ownTimes(events, main)) costs[kindOf(name)] += own;
  const tiles = events.filter((event) => event.name === 'RasterTask' && event.pid === pid);
  const composing = [...named('VizCompositorThread'), ...named('Compositor').filter((thread) => thread.pid === pid)];
  const compose = composing.flatMap((thread) => ownTimes(events, thread)).reduce((sum, { own }) => sum + own, 0);
  const each = (microseconds: number) => microseconds / 1000 / Math.max(1, frames);
  return {
    ...{ script: each(costs.script), style: each(costs.style), layout: each(costs.layout) },
    ...{ paint: each(costs.paint), other: each(costs.other), compose: each(compose) },
    raster: each(tiles.reduce((sum, { tdur = 0 }) => sum + tdur, 0)),
  };
}

function kindOf(name: string): Kind {
  return KINDS.find(([, pattern]) => pattern.test(name))?.[0] ?? 'other';
}

/** How long a thread ran for each of its events, without those inside. */
function ownTimes(events: readonly TraceEvent[], { pid, tid }: Pick<TraceEvent, 'pid' | 'tid'>) {
  const spans = events
    .filter((event) => event.ph === 'X' && event.pid === pid && event.tid === tid && event.tdur !== undefined)
    .map(({ name, ts, dur = 0, tdur = 0 }) => ({ name, ts, end: ts + dur, tdur, own: tdur }))
    .sort((left, right) => left.ts - right.ts || right.end - left.end);
  const open: typeof spans = [];
  for (const span of spans) {
    while (open.length > 0 && (open.at(-1)?.end ?? 0) <= span.ts) open.pop();
    const around = open.at(-1);
    if (around) around.own -= span.tdur;
    open.push(span);
  }
  return spans;
}

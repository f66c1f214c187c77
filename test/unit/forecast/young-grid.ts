import { RandomStream } from '../../../src/sim/random.ts';
import { type DecidedPromise, type DrawnWork, FROM_AT, type SiteOffer, YoungSite } from './young-site.ts';

/** Young sites and how often somebody wants a promise of them. */
export interface YoungGridOptions {
  readonly seed: number;
  /** Processors of each site. */
  readonly sites: readonly number[];
  readonly askSeconds: number;
}

/** What came of it. */
export interface LivedGrid {
  readonly asked: number;
  readonly decided: readonly DecidedPromise[];
}

const WARM_SECONDS = 600;
const PROMISING_SECONDS = 3600;
const SETTLE_SECONDS = 660;
/** What is offered in place of a refused promise is taken when it is worth that. */
const LEAST_PROBABILITY = 0.3;

/**
 * Lives through ten minutes and an hour, second by second, at sites whose tides differ in phase. Every promise is taken
 * where it is cheapest, and the most that any site would promise where none promises enough: so it is often the site
 * whose forecast errs most that makes it.
 */
export function liveYoungGrid({ seed, sites: sizes, askSeconds }: YoungGridOptions): LivedGrid {
  const random = new RandomStream(seed);
  const firstPhase = random.uniform();
  const sites = sizes.map((processors, n) => {
    return new YoungSite(100 * seed + n, processors, (firstPhase + n / sizes.length) % 1);
  });
  let asked = 0;
  for (let second = 0; second < WARM_SECONDS + PROMISING_SECONDS + SETTLE_SECONDS; second++) {
    for (const site of sites) site.bring(second);
    const isPromising = second >= WARM_SECONDS && second < WARM_SECONDS + PROMISING_SECONDS;
    if (isPromising && second % askSeconds === 0) {
      asked++;
      askAll(sites, drawWork(random, FROM_AT + second), pick(random, [0.5, 0.75, 0.9, 0.95]));
    }
    for (const site of sites) site.keep(second);
  }
  return { asked, decided: sites.flatMap(({ decided }) => decided) };
}

/** Asks for a promise, and when it is refused for what is on offer, if that is worth anything. */
function askAll(sites: readonly YoungSite[], work: DrawnWork, wanted: number): void {
  const best = takeCheapest(sites, work, wanted);
  if (best !== null && best >= LEAST_PROBABILITY) takeCheapest(sites, work, best);
}

/** The best offer when every site refuses; null when one promised. */
function takeCheapest(sites: readonly YoungSite[], work: DrawnWork, wanted: number): number | null {
  const offers = sites.map((site): [YoungSite, SiteOffer] => [site, site.offer(work, wanted)]);
  const promises = offers.filter(([, { isPromise }]) => isPromise);
  const [cheapest] = promises.sort(([, one], [, other]) => one.charge - other.charge);
  if (!cheapest) return Math.max(...offers.map(([, { probability }]) => probability));
  const [site, offer] = cheapest;
  site.take(offer);
  return null;
}

function drawWork(random: RandomStream, now: number): DrawnWork {
  return {
    processors: pick(random, [1, 2, 2, 4]),
    walltimeSeconds: pick(random, [60, 120, 180]),
    runSeconds: Math.round(5 + 35 * random.uniform()),
    startAt: now + Math.round(120 + 480 * random.uniform()),
    mode: pick(random, ['HOLD', 'HOLD', 'BEST_EFFORT']),
  };
}

function pick<Choice>(random: RandomStream, choices: readonly Choice[]): Choice {
  return choices[Math.floor(random.uniform() * choices.length)] as Choice;
}

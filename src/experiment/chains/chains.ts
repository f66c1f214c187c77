import { RUNTIME } from '../../predict/quantities.ts';
import { createPredictor } from '../../predict/registry.ts';
import { Agenda } from '../../sim/agenda.ts';
import { LoggedJobs } from '../../sim/logged-jobs.ts';
import { RandomStream } from '../../sim/random.ts';
import type { Experiment, ExperimentRow, PartInput } from '../experiment.ts';
import { machineOf } from '../simulate.ts';
import { settingsFor, toldPredictor } from '../told-settings.ts';
import { Chain, type ChainOutcome, type ChainRule } from './chain.ts';
import { drawPairs } from './chain-pairs.ts';
import { ChainSite } from './chain-site.ts';

/**
 * How long lies between the end of a job and the beginning of the one that comes right after it. Pairs of jobs of one
 * user in the log become chains, under EASY, among all other jobs of the log. The successor is submitted when its
 * predecessor has ended; together with it, holding its processors until then; or ahead, as the planner says, at one
 * price of holding in each run. What happens at the site is known at the next look.
 */
export const chainsExperiment: Experiment = {
  name: 'chains',
  describe: 'the gap between two jobs that follow each other, by when the second one is submitted',
  parameters: {
    prices: '0.25,1,4',
    chains: 200,
    warmUpJobs: 2000,
    lookSeconds: 60,
    recomputeSeconds: 600,
    snapshotSeconds: 300,
    predictor: 'wait/gridcast',
    runtime: 'runtime/gridcast',
    processors: 0,
    settings: '',
  },
  parts: ({ prices }) => [
    ...Object.keys(SIMPLE_RULES),
    ...String(prices)
      .split(',')
      .map((price) => `${AHEAD}${price}`),
  ],
  runPart: runRule,
  notes: () => [
    'A gap counts as none when it is no longer than a look at the site is apart from the next.',
    "Held: processor-seconds held before the successors' work, over those of that work.",
  ],
};

const SIMPLE_RULES: Readonly<Record<string, ChainRule>> = {
  'after the end': { kind: 'AFTER_END' },
  'at once, holding': { kind: 'AT_ONCE' },
};
const AHEAD = 'ahead, price of holding ';

function ruleOf(part: string): ChainRule {
  return SIMPLE_RULES[part] ?? { kind: 'AHEAD', holdPrice: Number(part.slice(AHEAD.length)) };
}

function runRule(part: string, { workload, seed, parameters, onProgress }: PartInput): ExperimentRow[] {
  const processors = machineOf(workload, Number(parameters.processors) || undefined);
  const drawn = { fromJob: Number(parameters.warmUpJobs), count: Number(parameters.chains) };
  const pairs = drawPairs(workload, processors, drawn, new RandomStream(seed));
  const left = new Set(pairs.flatMap(({ first, next }) => [first, next]));
  const runtimeName = String(parameters.runtime);
  const runtimes = createPredictor(RUNTIME, runtimeName, settingsFor(runtimeName, String(parameters.settings)));
  const waits = toldPredictor(String(parameters.predictor), parameters);
  const snapshotSeconds = Number(parameters.snapshotSeconds);
  const site = new ChainSite(workload, processors, waits, runtimes, { snapshotSeconds, left });
  const logged = new LoggedJobs(workload, processors);
  const options = {
    rule: ruleOf(part),
    lookSeconds: Number(parameters.lookSeconds),
    recomputeSeconds: Number(parameters.recomputeSeconds),
  };
  const chains = pairs.flatMap(({ first, next }) => {
    const [one, other] = [logged.jobAt(first), logged.jobAt(next)];
    if (!one || !other) return [];
    const ofLog = (job: typeof one, number: number) => ({ job, card: logged.cardOf(number) });
    return [new Chain(site, ofLog(one, first), ofLog(other, next), options)];
  });
  const agenda = new Agenda(chains);
  for (let at = agenda.nextAt; at < Number.POSITIVE_INFINITY; at = agenda.nextAt) {
    site.advanceTo(at);
    agenda.next();
    onProgress(site.handedIn);
  }
  const outcomes = chains.flatMap(({ outcome }) => outcome ?? []);
  return [rowOf(part, outcomes, options.lookSeconds)];
}

function rowOf(name: string, outcomes: readonly ChainOutcome[], lookSeconds: number): ExperimentRow {
  const gaps = outcomes.map(({ gapSeconds }) => gapSeconds).sort((a, b) => a - b);
  const share = (isOne: (outcome: ChainOutcome) => boolean) => outcomes.filter(isOne).length / outcomes.length;
  const sum = (amount: (outcome: ChainOutcome) => number) => outcomes.reduce((all, one) => all + amount(one), 0);
  return {
    name,
    chains: outcomes.length,
    medianGapSeconds: gaps[Math.floor(gaps.length / 2)] ?? Number.NaN,
    meanGapSeconds: sum(({ gapSeconds }) => gapSeconds) / outcomes.length,
    longestGapSeconds: gaps.at(-1) ?? Number.NaN,
    leastGapSeconds: gaps[0] ?? Number.NaN,
    gaplessShare: share(({ gapSeconds }) => gapSeconds <= lookSeconds),
    aheadShare: share(({ wasAhead }) => wasAhead),
    gaveUpShare: share(({ givenUp }) => givenUp > 0),
    meanHeldSeconds: sum(({ heldSeconds }) => heldSeconds) / outcomes.length,
    heldRatio: sum((o) => o.heldSeconds * o.processors) / sum((o) => o.runSeconds * o.processors),
  };
}

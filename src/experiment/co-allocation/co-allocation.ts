import { DAY_SECONDS } from '../../domain/clock.ts';
import { type CoAllocationRule, flatRule, type RuleTree } from '../../domain/co-allocation.ts';
import { Agenda } from '../../sim/agenda.ts';
import { RandomStream } from '../../sim/random.ts';
import type { Workload } from '../../sim/workload.ts';
import type { Experiment, ExperimentRow, Parameters, PartInput } from '../experiment.ts';
import { readLogOf } from '../read-log-of.ts';
import { machineOf } from '../simulate.ts';
import { toldPredictor } from '../told-settings.ts';
import { VarqSite } from '../varq/varq-site.ts';
import { CoAllocationProcess } from './co-allocation-process.ts';
import type { GroupKind } from './group-offer.ts';
import { GroupSite } from './group-site.ts';
import { GroupTallyByAge } from './group-tally-by-age.ts';

/**
 * Whether joint promises are kept. Users ask for one group of legs after another, six hours ahead, at three sites that
 * replay their logs under EASY side by side; without other logs the log's thirds are the sites. The joint probability
 * that is promised takes legs for independent; the pessimistic one stands beside it, by the dependence of the sites as
 * far as it was measured when the promise was made. With `owners` the predictor sees users and queues, as at real
 * sites. With `youngDays` the groups of the sites' first days have rows of their own. Section 4.6 of nurmi-varq names
 * both uses and measures neither.
 */
export const coAllocationExperiment: Experiment = {
  name: 'co-allocation',
  describe: 'whether joint promises over three sites are kept, and what redundancy costs (section 4.6 of nurmi-varq)',
  parameters: {
    predictors: 'wait/gridcast',
    alsoTraces: '',
    leadSeconds: 21_600,
    retrySeconds: 900,
    recomputeSeconds: 600,
    snapshotSeconds: 300,
    pollSeconds: 60,
    warmUpDays: 20,
    usersPerKind: 2,
    youngDays: 0,
    owners: false,
    settings: '',
  },
  files: ['alsoTraces'],
  parts: ({ predictors }) => String(predictors).split(','),
  async runPart(predictor, input) {
    const logs = await logsOf(input);
    const sites = logs.map((log) => siteOf(log, predictor, input.parameters));
    return run(predictor, sites, input);
  },
};

function run(
  predictor: string,
  sites: readonly GroupSite[],
  { workload, seed, parameters, onProgress }: PartInput,
): ExperimentRow[] {
  const users = Number(parameters.usersPerKind);
  const options = {
    leadSeconds: Number(parameters.leadSeconds),
    retrySeconds: Number(parameters.retrySeconds),
    recomputeSeconds: Number(parameters.recomputeSeconds),
    pollSeconds: Number(parameters.pollSeconds),
    youngDays: Number(parameters.youngDays),
  };
  const processes = GROUP_KINDS.flatMap((kind, k) =>
    Array.from({ length: users }, (_, user) => {
      const number = k * users + user;
      const fromAt = Number(parameters.warmUpDays) * DAY_SECONDS + number * APART_SECONDS;
      return new CoAllocationProcess(sites, kind, new RandomStream(seed * 1000 + number), options, fromAt);
    }),
  );
  const agenda = new Agenda(processes);
  while (sites.every(({ site }) => site.nextSubmitAt < Number.POSITIVE_INFINITY)) {
    for (const { site, beginsAt } of sites) site.advanceTo(agenda.nextAt + beginsAt);
    agenda.next();
    onProgress(Math.min(workload.length, sites[0]?.site.handedIn ?? 0));
  }
  const tallies = GROUP_KINDS.map((_, k) =>
    GroupTallyByAge.sum(processes.slice(k * users, (k + 1) * users).map(({ tally }) => tally)),
  );
  return [
    ...tallies.flatMap((tally, k) => tally.rows(`${predictor}/${GROUP_KINDS[k]?.name}`)),
    ...GroupTallyByAge.sum(tallies).rows(`${predictor}/all kinds`),
  ];
}

/** The logs of the sites: those told, else the thirds of the one. */
async function logsOf(input: PartInput): Promise<Workload[]> {
  const { workload, parameters } = input;
  const others = String(parameters.alsoTraces)
    .split(',')
    .filter((file) => file !== '');
  if (others.length > 0 && others.length < SITES - 1)
    throw new RangeError(`co-allocation needs ${SITES} logs, or one to divide`);
  if (others.length > 0) return [workload, ...(await Promise.all(others.map((file) => readLogOf(input, file))))];
  const third = Math.floor(workload.length / SITES);
  return Array.from({ length: SITES }, (_, i) => workload.slice(i * third, third));
}

function siteOf(log: Workload, predictor: string, parameters: Parameters): GroupSite {
  const processors = machineOf(log, undefined);
  const created = toldPredictor(predictor, parameters);
  const site = new VarqSite(log, processors, created, Number(parameters.snapshotSeconds), {
    showsOwners: parameters.owners === true,
  });
  const sizes = log.columns.allocatedProcessors.subarray(0, log.length).filter((size) => size > 0);
  const node = sizes.reduce((least, size) => Math.min(least, size), processors);
  return new GroupSite(site, log.columns.submitAt[0] ?? 0, node);
}

function over(rule: CoAllocationRule, atLeast: number | null, legs: number): RuleTree {
  return flatRule(
    rule,
    atLeast,
    Array.from({ length: legs }, (_, i) => String(i)),
  );
}

const GROUP_KINDS: readonly GroupKind[] = [
  { name: 'any of two at 0.9', rule: over('ANY', null, 2), probability: 0.9, offer: 'EACH' },
  { name: 'any of two, 0.9', rule: over('ANY', null, 2), probability: 0.9, offer: 'JOINT' },
  { name: 'all of two, 0.75', rule: over('ALL', null, 2), probability: 0.75, offer: 'JOINT' },
  { name: 'all of two, 0.5', rule: over('ALL', null, 2), probability: 0.5, offer: 'JOINT' },
  { name: 'two of three, 0.9', rule: over('AT_LEAST', 2, 3), probability: 0.9, offer: 'JOINT' },
  {
    name: 'all of (any of two, one), 0.75',
    rule: { rule: 'ALL', atLeast: null, members: [over('ANY', null, 2), { legId: '2' }] },
    probability: 0.75,
    offer: 'JOINT',
  },
  { name: 'all of two anywhere, 0.75', rule: over('ALL', null, 2), probability: 0.75, offer: 'ASSIGNED' },
];
const SITES = 3;
const APART_SECONDS = 1700;

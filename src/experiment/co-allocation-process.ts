import type { EpochSeconds } from '../domain/clock.ts';
import { legsOfRule, type RuleTree } from '../domain/co-allocation.ts';
import { forecastCharge } from '../plan/charge.ts';
import {
  type CoAllocationLeg,
  type CoAllocationOffer,
  offerCoAllocation,
  type PlannedLeg,
} from '../plan/co-allocate.ts';
import { jointProbability } from '../plan/joint-probability.ts';
import { pessimisticJointProbability } from '../plan/pessimistic-joint-probability.ts';
import { latestPointReaching, mostProbablePoint } from '../plan/trajectory.ts';
import { measureDependence } from '../predict/dependence.ts';
import type { RandomStream } from '../sim/random.ts';
import { CoAllocationGroup, type GroupLeg } from './co-allocation-group.ts';
import { CoAllocationTally } from './co-allocation-tally.ts';
import type { GroupSite } from './group-site.ts';
import { RUN_SECONDS } from './varq-process.ts';
import { VarqReservation } from './varq-reservation.ts';
import type { ReservedWork } from './varq-site.ts';

/** What one kind of group asks for. Its legs are named after the places that sites are drawn for: `0`, `1`, ... */
export interface GroupKind {
  readonly name: string;
  readonly rule: RuleTree;
  /** Wanted of the whole; with `eachLeg`, of every leg by itself. */
  readonly probability: number;
  readonly eachLeg: boolean;
}

export interface GroupProcessOptions {
  readonly leadSeconds: number;
  readonly retrySeconds: number;
  readonly recomputeSeconds: number;
  readonly pollSeconds: number;
}

interface Asked {
  readonly legId: string;
  readonly at: GroupSite;
  readonly work: ReservedWork;
  readonly leg: CoAllocationLeg;
}

/** A user who asks for one group of a kind after another, and again with other sizes and sites as long as he is refused. */
export class CoAllocationProcess {
  readonly tally = new CoAllocationTally();
  private startAt: EpochSeconds;
  private group: CoAllocationGroup | null = null;
  private legs: readonly GroupLeg[] = [];
  private promised = { independent: 0, pessimistic: 0 };

  constructor(
    private readonly sites: readonly GroupSite[],
    private readonly kind: GroupKind,
    private readonly random: RandomStream,
    private readonly options: GroupProcessOptions,
    public dueAt: EpochSeconds,
  ) {
    this.startAt = dueAt + options.leadSeconds;
  }

  /** Does what is due at `dueAt`, at which all sites stand, and sets the next `dueAt`. */
  next(): void {
    if (this.group) this.follow(this.group);
    else if (this.startAt - this.dueAt <= SHORTEST_LEAD_SECONDS) this.begin(this.startAt + PAUSE_SECONDS);
    else this.ask();
  }

  private ask(): void {
    const asked = this.drawLegs();
    const offer = this.kind.eachLeg ? offerEach(asked, this.kind) : offerJointly(asked, this.kind);
    if (offer.kind === 'REFUSAL') {
      this.tally.addRefusal(offer.bestJointProbability);
      this.dueAt += this.options.retrySeconds;
      return;
    }
    this.legs = offer.legs.map((planned) => this.reserve(asked, planned));
    this.promised = {
      independent: offer.jointProbability,
      pessimistic: pessimisticProbability(this.kind.rule, this.legs),
    };
    this.group = new CoAllocationGroup(this.kind.rule, this.legs, this.startAt, this.options.pollSeconds, this.dueAt);
    this.dueAt = this.group.dueAt;
  }

  private follow(group: CoAllocationGroup): void {
    group.next();
    if (!group.outcome) {
      this.dueAt = group.dueAt;
      return;
    }
    this.tally.add(group.outcome, this.promised);
    // Where legs are spared the group ends some of them, and what they would have come to is not known.
    const isLeftToSites = this.legs.every(({ reservation }) => reservation.state !== 'CANCELLED');
    if (isLeftToSites) for (const { at, reservation } of this.legs) at.learn(reservation);
    this.begin(this.dueAt + PAUSE_SECONDS);
  }

  private drawLegs(): Asked[] {
    const draw = <T>(choices: readonly T[]) => choices[Math.floor(this.random.uniform() * choices.length)] as T;
    const [nodes, runSeconds] = [draw(NODES), draw(RUN_SECONDS)];
    const left = [...this.sites];
    return legsOfRule(this.kind.rule).map((legId) => {
      const [at] = left.splice(Math.floor(this.random.uniform() * left.length), 1) as [GroupSite];
      const processors = Math.min(at.site.processors, nodes * at.node);
      return askedAt(legId, at, { processors, runSeconds, startAt: this.startAt + at.beginsAt });
    });
  }

  private reserve(asked: readonly Asked[], { legId, point }: PlannedLeg): GroupLeg {
    const { at, work } = asked.find((one) => one.legId === legId) as Asked;
    const terms = {
      work,
      point,
      probability: point.probability,
      aimedProbability: at.forecastFor(point.probability),
      maxChargeProcessorSeconds: null,
      recomputeSeconds: this.options.recomputeSeconds,
    };
    return { legId, at, reservation: new VarqReservation(at.site, terms, this.dueAt + at.beginsAt) };
  }

  private begin(at: EpochSeconds): void {
    this.group = null;
    this.dueAt = at;
    this.startAt = at + this.options.leadSeconds;
  }
}

function askedAt(legId: string, at: GroupSite, work: ReservedWork): Asked {
  const { processors, runSeconds, startAt } = work;
  const chargeAt: CoAllocationLeg['chargeAt'] = ({ submitAt, walltimeSeconds }) =>
    forecastCharge({
      processors,
      walltimeSeconds: runSeconds,
      holdUntilAt: startAt,
      submitAt,
      forecast: at.site.forecastOf(processors, walltimeSeconds, submitAt),
    });
  return { legId, at, work, leg: { legId, trajectory: at.promisableTrajectory(work), chargeAt } };
}

function offerJointly(asked: readonly Asked[], { rule, probability }: GroupKind): CoAllocationOffer {
  return offerCoAllocation({ legs: asked.map(({ leg }) => leg), rule, probability });
}

/** Every leg at the latest moment that reaches the probability by itself. */
function offerEach(asked: readonly Asked[], { rule, probability }: GroupKind): CoAllocationOffer {
  const best = new Map(asked.map(({ legId, leg }) => [legId, mostProbablePoint(leg.trajectory)?.probability ?? 0]));
  const legs = asked.flatMap(({ legId, leg }): PlannedLeg[] => {
    const point = latestPointReaching(leg.trajectory, probability);
    return point ? [{ legId, point, charge: leg.chargeAt(point) }] : [];
  });
  const joint = (of: ReadonlyMap<string, number>) => jointProbability(rule, (legId) => of.get(legId) ?? 0);
  if (legs.length < asked.length) {
    return { kind: 'REFUSAL', bestJointProbability: joint(best), reason: `not every leg reaches ${probability}` };
  }
  const charge = { neededProcessorSeconds: 0, worstPaddingProcessorSeconds: 0, expectedPaddingProcessorSeconds: 0 };
  const reached = new Map(legs.map(({ legId, point }) => [legId, point.probability]));
  return { kind: 'PROMISE', legs, jointProbability: joint(reached), charge };
}

function pessimisticProbability(rule: RuleTree, legs: readonly GroupLeg[]): number {
  const pairs = legs.flatMap((one, i) => legs.slice(i + 1).map((other) => [one.at, other.at] as const));
  const dependences = pairs.map(([a, b]) => measureDependence(a.forecastOutcomes, b.forecastOutcomes));
  const probabilities = new Map(legs.map(({ legId, reservation }) => [legId, reservation.terms.probability]));
  return pessimisticJointProbability(rule, (legId) => probabilities.get(legId) ?? 0, dependences);
}

const NODES = [1, 4, 8, 16, 32] as const;
const SHORTEST_LEAD_SECONDS = 600;
const PAUSE_SECONDS = 60;

import type { EpochSeconds } from '../../domain/clock.ts';
import { legsOfRule, type RuleTree } from '../../domain/co-allocation.ts';
import type { PlannedLeg } from '../../plan/co-allocate.ts';
import { pessimisticJointProbability } from '../../plan/pessimistic-joint-probability.ts';
import { measureDependence } from '../../predict/dependence.ts';
import type { RandomStream } from '../../sim/random.ts';
import { RUN_SECONDS } from '../varq/varq-process.ts';
import { VarqReservation } from '../varq/varq-reservation.ts';
import { CoAllocationGroup, type GroupLeg } from './co-allocation-group.ts';
import { candidateAt, type GroupCandidate, type GroupKind, offerTo } from './group-offer.ts';
import type { GroupSite } from './group-site.ts';
import { GroupTallyByAge } from './group-tally-by-age.ts';

export interface GroupProcessOptions {
  readonly leadSeconds: number;
  readonly retrySeconds: number;
  readonly recomputeSeconds: number;
  readonly pollSeconds: number;
  /** How long sites count as young; 0 for no tally of theirs. */
  readonly youngDays: number;
}

/**
 * A user who asks for one group of a kind after another, and again with other sizes and sites as long as he is refused.
 */
export class CoAllocationProcess {
  readonly tally: GroupTallyByAge;
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
    this.tally = new GroupTallyByAge(options.youngDays);
  }

  /** Does what is due at `dueAt`, at which all sites stand, and sets the next `dueAt`. */
  next(): void {
    if (this.group) this.follow(this.group);
    else if (this.startAt - this.dueAt <= SHORTEST_LEAD_SECONDS) this.begin(this.startAt + PAUSE_SECONDS);
    else this.ask();
  }

  private ask(): void {
    const candidates = this.drawCandidates();
    const offer = offerTo(candidates, this.kind);
    if (offer.kind === 'REFUSAL') {
      this.tally.addRefusal(offer.bestJointProbability, this.dueAt);
      this.dueAt += this.options.retrySeconds;
      return;
    }
    this.legs = offer.legs.map((planned) => this.reserve(candidates, planned));
    this.promised = { independent: offer.jointProbability, pessimistic: pessimisticProbability(offer.rule, this.legs) };
    this.group = new CoAllocationGroup(offer.rule, this.legs, this.startAt, this.options.pollSeconds, this.dueAt);
    this.dueAt = this.group.dueAt;
  }

  private follow(group: CoAllocationGroup): void {
    group.next();
    if (!group.outcome) {
      this.dueAt = group.dueAt;
      return;
    }
    this.tally.add(group.outcome, this.promised, group.promisedAt);
    for (const { at, reservation } of group.neededLegs) at.learn(reservation);
    this.begin(this.dueAt + PAUSE_SECONDS);
  }

  private drawCandidates(): GroupCandidate[] {
    const draw = <T>(choices: readonly T[]) => choices[Math.floor(this.random.uniform() * choices.length)] as T;
    const [nodes, runSeconds] = [draw(NODES), draw(RUN_SECONDS)];
    const parts = legsOfRule(this.kind.rule);
    const left = this.sites.map((_, number) => number);
    const places = parts.flatMap((partId) =>
      this.kind.offer === 'ASSIGNED'
        ? left.map((number) => ({ partId, number }))
        : left.splice(Math.floor(this.random.uniform() * left.length), 1).map((number) => ({ partId, number })),
    );
    return places.map(({ partId, number }) => {
      const at = this.sites[number] as GroupSite;
      const processors = Math.min(at.site.processors, nodes * at.node);
      return candidateAt(partId, number, at, { processors, runSeconds, startAt: this.startAt + at.beginsAt });
    });
  }

  private reserve(candidates: readonly GroupCandidate[], { legId, point }: PlannedLeg): GroupLeg {
    const { at, work } = candidates.find((one) => one.legId === legId) as GroupCandidate;
    const terms = {
      work,
      point,
      probability: point.probability,
      aimedProbability: at.aimFor(point.probability),
      priceSeconds: null,
      coAllocationId: this.kind.name,
      maxChargeProcessorSeconds: null,
      maxExpectedPaddingProcessorSeconds: null,
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

function pessimisticProbability(rule: RuleTree, legs: readonly GroupLeg[]): number {
  const pairs = legs.flatMap((one, i) => legs.slice(i + 1).map((other) => [one.at, other.at] as const));
  const dependences = pairs.map(([a, b]) => measureDependence(a.forecastOutcomes, b.forecastOutcomes));
  const probabilities = new Map(legs.map(({ legId, reservation }) => [legId, reservation.terms.probability]));
  return pessimisticJointProbability(rule, (legId) => probabilities.get(legId) ?? 0, dependences);
}

const NODES = [1, 4, 8, 16, 32] as const;
const SHORTEST_LEAD_SECONDS = 600;
const PAUSE_SECONDS = 60;

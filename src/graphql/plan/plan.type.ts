import { Field, Float, Int, ObjectType } from 'type-graphql';
import type { LossReason } from '../../domain/loss-reason.ts';
import type { Objective } from '../../domain/objective.ts';
import type {
  ChargeForecast as DomainCharge,
  SecondsInterval as DomainInterval,
  Plan as DomainPlan,
} from '../../domain/plan.ts';
import { finishBySize } from '../../plan/job/finish-by-size.ts';
import type { PlanRow, StoredCandidate } from '../../store/plans.ts';
import { ScriptDirective } from '../directive/script-directive.type.ts';
import { finiteOrNull, toMoment } from '../shared/moments.ts';
import { LossReasonEnum, ObjectiveEnum } from '../shared/plan-enums.ts';
import { DateTime } from '../shared/scalars.ts';
import { FinishAtSize } from './finish-at-size.type.ts';

/** Said of what candidates came to have later. */
const OF_BEFORE = 'Null in plans made before it was kept.';

@ObjectType({ description: 'Processor-seconds a job or a reservation will be charged, at most and on average.' })
export class ChargeForecast implements DomainCharge {
  @Field(() => Float, {
    nullable: true,
    description:
      'What its site bills for each second, in processors: more than it asks for where memory, GPUs or whole nodes count. Null where that was not kept.',
  })
  billedProcessors?: number;

  @Field(() => Float, { description: "The caller's own work at its walltime, the most that it can come to." })
  neededProcessorSeconds!: number;

  @Field(() => Float, {
    nullable: true,
    description: 'The same at the runtime that is expected of it, on average; null where nothing is known of that.',
  })
  expectedNeededProcessorSeconds?: number | null;

  @Field(() => Float, { description: 'Held before the start time if the job starts the moment it is submitted.' })
  worstPaddingProcessorSeconds!: number;

  @Field(() => Float, { description: 'The same averaged over the forecast distribution of the start.' })
  expectedPaddingProcessorSeconds!: number;
}

@ObjectType({ description: 'Between which seconds something lies with a probability, as much below as above.' })
export class SecondsInterval implements DomainInterval {
  @Field(() => Float, { description: 'The probability.' })
  probability!: number;

  @Field(() => Float, { nullable: true, description: 'The lower end; null beyond what history supports.' })
  lowSeconds!: number | null;

  @Field(() => Float, { nullable: true, description: 'The upper end; null beyond what history supports.' })
  highSeconds!: number | null;
}

@ObjectType({ description: "One option's part in a plan and, unless it was chosen, why it lost." })
export class PlanCandidate {
  constructor(
    readonly candidate: StoredCandidate,
    /** Plan whose forecast rows hold the quantiles; null for a plan that was never stored. */
    readonly planId: string | null,
  ) {}

  @Field(() => String, { nullable: true, description: 'Queue the job would go to.' })
  get queue(): string | null {
    return this.candidate.queue;
  }

  @Field(() => Int, { nullable: true, description: `Processors it would ask for. ${OF_BEFORE}` })
  get processors(): number | null {
    return this.candidate.processors ?? null;
  }

  @Field(() => Int, { nullable: true, description: `Walltime it would ask for, holding included. ${OF_BEFORE}` })
  get walltimeSeconds(): number | null {
    return this.candidate.walltimeSeconds ?? null;
  }

  @Field(() => DateTime, { nullable: true, description: `When it would be submitted. ${OF_BEFORE}` })
  get submitAt(): Date | null {
    return toMoment(this.candidate.submitAt ?? null);
  }

  @Field(() => ChargeForecast, { nullable: true, description: `What it would be charged. ${OF_BEFORE}` })
  get charge(): DomainCharge | null {
    return this.candidate.charge ?? null;
  }

  @Field(() => Float, {
    nullable: true,
    description:
      "By which it was compared, the smaller the better: seconds until its end, or until its start, or processor-seconds, as the plan's objective says. Null without a forecast.",
  })
  get score(): number | null {
    return finiteOrNull(this.candidate.score ?? null);
  }

  @Field(() => Float, {
    nullable: true,
    description:
      'Probability, by its forecasts, that its walltime kills it or, with a deadline, that it has not ended by then. Null where too little is known.',
  })
  get risk(): number | null {
    return this.candidate.risk ?? null;
  }

  @Field(() => [SecondsInterval], {
    description: 'The wait after submitAt with 50 % and with 90 % probability; empty where none is known or kept.',
  })
  get waitIntervals(): readonly SecondsInterval[] {
    return this.candidate.spread?.wait ?? [];
  }

  @Field(() => [SecondsInterval], { description: 'The runtime likewise.' })
  get runtimeIntervals(): readonly SecondsInterval[] {
    return this.candidate.spread?.runtime ?? [];
  }

  @Field(() => [SecondsInterval], {
    description:
      'The time from when it was planned to its end likewise; a runtime that is not known is taken to be the walltime.',
  })
  get finishIntervals(): readonly SecondsInterval[] {
    return this.candidate.spread?.finish ?? [];
  }

  @Field(() => Float, {
    nullable: true,
    description:
      'Probability that it ends before the chosen one, wait and runtime of both taken to be independent. Null where that is not known, and of the chosen one.',
  })
  get beforeChosenProbability(): number | null {
    return this.candidate.beforeChosenProbability ?? null;
  }

  @Field(() => Float, {
    nullable: true,
    description: 'Predicted seconds from when it was planned to its end, at its walltime. Null without a forecast.',
  })
  get responseSeconds(): number | null {
    return finiteOrNull(this.candidate.responseSeconds);
  }

  @Field(() => Float, {
    nullable: true,
    description: 'With finishBy, the probability to finish by then that can be promised; null where none can be told.',
  })
  get finishProbability(): number | null {
    return this.candidate.finish?.probability ?? null;
  }

  @Field(() => DateTime, {
    nullable: true,
    description: 'With finishBy, the first moment by which the probability asked for can be promised; null for none.',
  })
  get finishEarliestAt(): Date | null {
    return toMoment(this.candidate.finish?.earliestAt ?? null);
  }

  @Field(() => Float, {
    nullable: true,
    description:
      'Gain over all sites and sizes, from 0 to 1, the larger the better. Null without a forecast, and for a job of one size.',
  })
  get gainScore(): number | null {
    return this.candidate.gainScore ?? null;
  }

  @Field(() => Float, {
    description:
      'Processor-seconds by which options are compared: the work at its walltime, and the padding that is expected. See charge for what is expected of both.',
  })
  get costProcessorSeconds(): number {
    return this.candidate.costProcessorSeconds;
  }

  @Field(() => LossReasonEnum, { nullable: true, description: 'Why it lost; null for the one that was chosen.' })
  get lostBecause(): LossReason | null {
    return this.candidate.lostBecause;
  }

  @Field(() => String, { description: 'The reason in a sentence with its figures.' })
  get explanation(): string {
    return this.candidate.explanation;
  }
}

@ObjectType({ description: 'Where a job goes and when, and every option that was considered.' })
export class Plan {
  constructor(
    private readonly plan: DomainPlan | PlanRow,
    private readonly ofScript: readonly ScriptDirective[] | null = null,
  ) {}

  @Field(() => [ScriptDirective], {
    nullable: true,
    description:
      'Of a dry run what the directive lines of its script say; null in the plan of a job, which shows them.',
  })
  get directives(): readonly ScriptDirective[] | null {
    return this.ofScript;
  }

  @Field(() => DateTime, { description: 'When it was made.' })
  get madeAt(): Date {
    return toMoment(this.plan.madeAt);
  }

  @Field(() => DateTime, { description: 'When the job is to be handed to its site.' })
  get submitAt(): Date {
    return toMoment(this.plan.submitAt);
  }

  @Field(() => ObjectiveEnum, {
    nullable: true,
    description: 'What the chosen option was to be best at; null for promises, and in plans made before it was kept.',
  })
  get objective(): Objective | null {
    return this.plan.objective ?? null;
  }

  @Field(() => [FinishAtSize], {
    complexity: listOfSites,
    description: 'When it would end against its size: of every site and size the option that would end first.',
  })
  get finishBySize(): FinishAtSize[] {
    const { madeAt, candidates } = this.plan;
    return finishBySize(candidates).map((finish) => new FinishAtSize(finish, madeAt));
  }

  @Field(() => Int, { description: 'How often the job had been planned before.' })
  get revision(): number {
    return 'revision' in this.plan ? this.plan.revision : 0;
  }

  @Field(() => PlanCandidate, { nullable: true, description: 'The winner; null when no site can take the job.' })
  get chosen(): PlanCandidate | null {
    const isChosen = ({ candidate }: PlanCandidate) => candidate.siteId === this.chosenSiteId && !candidate.lostBecause;
    return this.candidates.find(isChosen) ?? null;
  }

  @Field(() => [PlanCandidate], { complexity: listOfSites, description: 'Every option with its part, the winner too.' })
  get candidates(): PlanCandidate[] {
    const planId = 'id' in this.plan ? this.plan.id : null;
    return this.plan.candidates.map((candidate) => new PlanCandidate(candidate, planId));
  }

  private get chosenSiteId(): string | null {
    return 'chosen' in this.plan ? (this.plan.chosen?.siteId ?? null) : this.plan.chosenSiteId;
  }
}

/** What a list with an item per site costs. */
export function listOfSites({ childComplexity }: { childComplexity: number }): number {
  return 1 + 10 * childComplexity;
}

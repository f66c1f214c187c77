import { Field, Float, Int, ObjectType } from 'type-graphql';
import type { Candidate, ChargeForecast as DomainCharge, Plan as DomainPlan, LossReason } from '../../domain/plan.ts';
import type { PlanRow } from '../../store/plans.ts';
import { LossReasonEnum } from '../shared/enums.ts';
import { finiteOrNull, toMoment } from '../shared/moments.ts';
import { DateTime } from '../shared/scalars.ts';

@ObjectType({ description: "One site's part in a plan and, unless it was chosen, why it lost." })
export class PlanCandidate {
  constructor(
    readonly candidate: Candidate,
    /** Plan whose forecast rows hold the quantiles; null for a plan that was never stored. */
    readonly planId: string | null,
  ) {}

  @Field(() => String, { nullable: true, description: 'Queue the job would go to.' })
  get queue(): string | null {
    return this.candidate.queue;
  }

  @Field(() => Float, {
    nullable: true,
    description:
      'The score: predicted seconds from submission to end, the smaller the better. Null without a forecast.',
  })
  get responseSeconds(): number | null {
    return finiteOrNull(this.candidate.responseSeconds);
  }

  @Field(() => Float, { description: 'Processor-seconds the job is charged there.' })
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

@ObjectType({ description: 'Where a job goes and when, and every site that was considered.' })
export class Plan {
  constructor(private readonly plan: DomainPlan | PlanRow) {}

  @Field(() => DateTime, { description: 'When it was made.' })
  get madeAt(): Date {
    return toMoment(this.plan.madeAt);
  }

  @Field(() => DateTime, { description: 'When the job is to be handed to its site.' })
  get submitAt(): Date {
    return toMoment(this.plan.submitAt);
  }

  @Field(() => Int, { description: 'How often the job had been planned before.' })
  get revision(): number {
    return 'revision' in this.plan ? this.plan.revision : 0;
  }

  @Field(() => PlanCandidate, { nullable: true, description: 'The winner; null when no site can take the job.' })
  get chosen(): PlanCandidate | null {
    return this.candidates.find(({ candidate }) => candidate.siteId === this.chosenSiteId) ?? null;
  }

  @Field(() => [PlanCandidate], { complexity: listOfSites, description: 'Every site with its part, the winner too.' })
  get candidates(): PlanCandidate[] {
    const planId = 'id' in this.plan ? this.plan.id : null;
    return this.plan.candidates.map((candidate) => new PlanCandidate(candidate, planId));
  }

  private get chosenSiteId(): string | null {
    return 'chosen' in this.plan ? (this.plan.chosen?.siteId ?? null) : this.plan.chosenSiteId;
  }
}

@ObjectType({ description: 'Processor-seconds a reservation will be charged.' })
export class ChargeForecast implements DomainCharge {
  @Field(() => Float, { description: "The caller's own work." })
  neededProcessorSeconds!: number;

  @Field(() => Float, { description: 'Held before the start time if the job starts the moment it is submitted.' })
  worstPaddingProcessorSeconds!: number;

  @Field(() => Float, { description: 'The same averaged over the forecast distribution of the start.' })
  expectedPaddingProcessorSeconds!: number;
}

/** What a list with an item per site costs. */
export function listOfSites({ childComplexity }: { childComplexity: number }): number {
  return 1 + 10 * childComplexity;
}

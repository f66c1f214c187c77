import { Field, Float, Int, ObjectType } from 'type-graphql';
import type { ChargeForecast as DomainCharge, Plan as DomainPlan, LossReason } from '../../domain/plan.ts';
import type { PlanRow, StoredCandidate } from '../../store/plans.ts';
import { LossReasonEnum } from '../shared/enums.ts';
import { finiteOrNull, toMoment } from '../shared/moments.ts';
import { DateTime } from '../shared/scalars.ts';

/** Said of what candidates came to have later. */
const OF_BEFORE = 'Null in plans made before it was kept.';

@ObjectType({ description: 'Processor-seconds a job or a reservation will be charged, at most and on average.' })
export class ChargeForecast implements DomainCharge {
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
      'The score: predicted seconds from submission to end, the smaller the better. Null without a forecast.',
  })
  get responseSeconds(): number | null {
    return finiteOrNull(this.candidate.responseSeconds);
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

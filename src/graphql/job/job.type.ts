import { Field, Float, ID, Int, ObjectType } from 'type-graphql';
import type { RuntimeOfJob } from '../../commands/forecast-job.ts';
import type { ChargeKind } from '../../domain/charge.ts';
import type { ExecutionOutcome, ExecutionState } from '../../domain/execution.ts';
import type { ExecutionRow } from '../../store/executions.ts';
import { resourcesOf } from '../../store/plan-requests.ts';
import type { ChargeRow } from '../../store/scores.ts';
import type { SubmissionRow } from '../../store/submissions.ts';
import { connectionType } from '../shared/connection.ts';
import { ChargeKindEnum, JobOutcomeEnum, JobStateEnum, SubmissionStateEnum } from '../shared/enums.ts';
import { toMoment } from '../shared/moments.ts';
import { Node } from '../shared/node.type.ts';
import { JobResources } from '../shared/resources.type.ts';
import { RESOURCES } from '../shared/resources.words.ts';
import { DateTime } from '../shared/scalars.ts';
import { deadlineOf, JobDeadline } from './job-deadline.type.ts';

@ObjectType({ description: 'One attempt to hand a job to its site.' })
export class Submission {
  constructor(readonly row: SubmissionRow) {}

  @Field(() => ID, {
    description: "The key in the job's name or comment at the site; at most one native job bears it.",
  })
  get key(): string {
    return this.row.key;
  }

  @Field(() => SubmissionStateEnum, { description: 'What became of it.' })
  get state(): SubmissionRow['state'] {
    return this.row.state;
  }

  @Field(() => DateTime, { description: 'When the intent was written down.' })
  get intendedAt(): Date {
    return toMoment(this.row.intendedAt);
  }

  @Field(() => DateTime, { nullable: true, description: 'When it was known what became of it.' })
  get resolvedAt(): Date | null {
    return toMoment(this.row.resolvedAt);
  }

  @Field(() => String, { nullable: true, description: 'Id of the job at the site.' })
  get nativeId(): string | null {
    return this.row.nativeId;
  }

  @Field(() => String, {
    nullable: true,
    description: "Unix user as whom it was handed in; null for the gateway's own.",
  })
  get user(): string | null {
    return this.row.user;
  }

  @Field(() => String, { nullable: true, description: "Account that pays; null for the site's usual one." })
  get account(): string | null {
    return this.row.account;
  }

  @Field(() => String, { nullable: true, description: "Quality of service; null for the site's usual one." })
  get qos(): string | null {
    return this.row.qos;
  }

  @Field(() => String, { nullable: true, description: "The site's own words." })
  get siteSays(): string | null {
    return this.row.siteSays;
  }
}

@ObjectType({ description: 'One entry of the charge ledger.' })
export class Charge {
  constructor(private readonly row: ChargeRow) {}

  @Field(() => ChargeKindEnum, { description: 'What it was spent on.' })
  get kind(): ChargeKind {
    return this.row.kind;
  }

  @Field(() => Float, { description: 'Processors times seconds.' })
  get processorSeconds(): number {
    return this.row.processorSeconds;
  }

  @Field(() => DateTime, { description: 'When it was booked.' })
  get chargedAt(): Date {
    return toMoment(this.row.chargedAt);
  }
}

@ObjectType({ implements: Node, description: 'The durable life of one request.' })
export class Job extends Node {
  readonly nodeType = 'Job';
  /** What was asked of its runtime, if anything was. */
  askedRuntime: Promise<RuntimeOfJob | null> | null = null;

  constructor(readonly row: ExecutionRow) {
    super(row.id);
  }

  @Field(() => String, { description: "The caller's name for it." })
  get name(): string {
    return this.row.name;
  }

  @Field(() => JobStateEnum, { description: 'Where it is in its life.' })
  get state(): ExecutionState {
    return this.row.state;
  }

  @Field(() => JobOutcomeEnum, { nullable: true, description: 'How it ended; null until then.' })
  get outcome(): ExecutionOutcome | null {
    return this.row.outcome;
  }

  @Field(() => String, { nullable: true, description: 'Why it is where it is, in a sentence.' })
  get reason(): string | null {
    return this.row.reason;
  }

  @Field(() => String, {
    nullable: true,
    description: 'Its queue at the site, or the one asked for until it has a site.',
  })
  get queue(): string | null {
    return this.row.siteQueue ?? this.row.queue;
  }

  @Field(() => [String], { description: 'Arguments of its script.' })
  get arguments(): string[] {
    return this.row.arguments;
  }

  @Field(() => String, {
    nullable: true,
    description:
      "SHA-256 of its script's text in hexadecimal digits; null once the text was deleted, some time after its end.",
  })
  get scriptHash(): string | null {
    return this.row.scriptHash;
  }

  @Field(() => Int, {
    description: 'Processors it asks for. With sizes those that were chosen with its site; until then the stated ones.',
  })
  get processors(): number {
    return this.row.processors;
  }

  @Field(() => JobResources, { nullable: true, description: RESOURCES.all })
  get resources(): JobResources | null {
    const asked = resourcesOf(this.row);
    return asked === undefined ? null : new JobResources(asked);
  }

  @Field(() => Int, {
    description:
      'Walltime the caller stated. With walltime AUTO, or with sizes, that of the way in which it is run; until a site is chosen the stated one, with AUTO the longest of its sites.',
  })
  get walltimeSeconds(): number {
    return this.row.walltimeSeconds;
  }

  @Field(() => Int, {
    nullable: true,
    description: 'With sizes, the processors for which its walltime was stated; null for a job of one size.',
  })
  get statedProcessors(): number | null {
    return this.row.statedProcessors;
  }

  @Field(() => Float, {
    nullable: true,
    description: 'With walltime AUTO, the probability of being killed by it that is accepted; null for a stated one.',
  })
  get walltimeRisk(): number | null {
    return this.row.walltimeRisk;
  }

  @Field(() => String, {
    nullable: true,
    description: 'With walltime AUTO, whose forecast of the runtime it rests on; null until a site is chosen.',
  })
  get walltimePredictor(): string | null {
    return this.row.walltimePredictor;
  }

  @Field(() => Float, {
    nullable: true,
    description:
      'What its site bills for each second, in processors: as expected once it is handed in, as accounting tells after its end.',
  })
  get billedProcessors(): number | null {
    return this.row.billedProcessors;
  }

  @Field(() => Int, { nullable: true, description: 'Walltime asked of its site, with padding, or given by it since.' })
  get submittedWalltimeSeconds(): number | null {
    return this.row.submittedWalltimeSeconds;
  }

  @Field(() => DateTime, { nullable: true, description: 'When it must have ended.' })
  get deadlineAt(): Date | null {
    return toMoment(this.row.deadlineAt);
  }

  @Field(() => DateTime, {
    nullable: true,
    description:
      'Its deadline, once that has passed before its end: it ended too late, or runs or waits on. Null while it may be met.',
  })
  get deadlineMissedAt(): Date | null {
    return toMoment(this.row.deadlineMissedAt);
  }

  @Field(() => JobDeadline, { nullable: true, description: 'Its deadline and what was promised of it; null for none.' })
  get deadline(): JobDeadline | null {
    return deadlineOf(this.row);
  }

  @Field(() => DateTime, { nullable: true, description: 'When it is to be handed to its site.' })
  get submitAt(): Date | null {
    return toMoment(this.row.submitAt);
  }

  @Field(() => Int, { nullable: true, description: 'For how long it may be held back; null or 0 for not at all.' })
  get maxDelaySeconds(): number | null {
    return this.row.maxDelaySeconds;
  }

  @Field(() => Int, { nullable: true, description: 'The same for bursts of IO; null or 0 for not at all.' })
  get avoidIoBurstsSeconds(): number | null {
    return this.row.avoidIoBurstsSeconds;
  }

  @Field(() => DateTime, {
    nullable: true,
    description: 'Since when it was held back before its submission; null when it was not.',
  })
  get heldBackSince(): Date | null {
    return toMoment(this.row.heldBackSince);
  }

  @Field(() => String, { nullable: true, description: 'Its id at the site, once accepted.' })
  get nativeId(): string | null {
    return this.row.nativeId;
  }

  @Field(() => DateTime, { nullable: true, description: 'When the site accepted it.' })
  get submittedAt(): Date | null {
    return toMoment(this.row.nativeSubmittedAt);
  }

  @Field(() => DateTime, { nullable: true, description: 'When it began to hold processors.' })
  get startedAt(): Date | null {
    return toMoment(this.row.startedAt);
  }

  @Field(() => DateTime, { nullable: true, description: 'When it ended.' })
  get endedAt(): Date | null {
    return toMoment(this.row.endedAt);
  }

  @Field(() => Int, {
    nullable: true,
    description:
      'Exit status of its script, 128 and the number of a signal that ended it. Null where the site tells none, and of a job that was cancelled, killed by its walltime or taken down.',
  })
  get exitCode(): number | null {
    return this.row.exitCode;
  }

  @Field(() => Float, { nullable: true, description: 'How long it waited in the queue; null until it started.' })
  get waitSeconds(): number | null {
    const { startedAt, nativeSubmittedAt } = this.row;
    return startedAt === null || nativeSubmittedAt === null ? null : Math.max(0, startedAt - nativeSubmittedAt);
  }

  @Field(() => DateTime, { nullable: true, description: 'When it was asked to be cancelled.' })
  get cancelRequestedAt(): Date | null {
    return toMoment(this.row.cancelRequestedAt);
  }

  @Field(() => DateTime, { description: 'When the request was written down.' })
  get createdAt(): Date {
    return toMoment(this.row.createdAt);
  }

  @Field(() => String, { description: 'Id of the request it came with, for the logs.' })
  get requestId(): string {
    return this.row.requestId;
  }
}

export const JobConnection = connectionType('Job', Job);

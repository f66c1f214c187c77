import { Field, Float, Int, ObjectType } from 'type-graphql';
import { type FaultCode, faultSentence } from '../../domain/failures.ts';
import type { SiteTerms } from '../../domain/resources.ts';
import type { MaintenanceWindow, QueueBar, QueueFacts, SiteState } from '../../domain/site.ts';
import { openBreakersOf } from '../../store/site-breakers.ts';
import { faultOf } from '../../store/site-faults.ts';
import { resourceFactsOf } from '../../store/site-resources.ts';
import { maintenanceOf, type ObservationRow, type SiteRow } from '../../store/sites.ts';
import { QueueBarEnum, SiteFaultCodeEnum, SiteStateEnum } from '../shared/enums.ts';
import { toMoment } from '../shared/moments.ts';
import { Node } from '../shared/node.type.ts';
import { Licence } from '../shared/resources.type.ts';
import { DateTime } from '../shared/scalars.ts';
import { OpenBreaker } from './site-health.type.ts';
import { Allocation, NodeShape } from './site-resources.type.ts';

@ObjectType({ description: 'A partition or queue of a site, with its limits.' })
export class Queue {
  constructor(facts: QueueFacts) {
    const { allocation = null, ...limits } = facts;
    Object.assign(this, limits);
    this.allocation = allocation && new Allocation(allocation);
  }

  @Field(() => String, { description: 'Its name at the site.' })
  name!: string;

  @Field(() => Boolean, { description: 'Whether it takes jobs that name no queue.' })
  isDefault!: boolean;

  @Field(() => Int, { nullable: true, description: 'Largest job it accepts; null for no limit.' })
  maxProcessors!: number | null;

  @Field(() => Int, { nullable: true, description: 'Longest walltime it accepts; null for no limit.' })
  maxWalltimeSeconds!: number | null;

  @Field(() => Int, {
    nullable: true,
    description: 'All processors that its jobs may have; null where the site does not say.',
  })
  processors?: number | null;

  @Field(() => Int, {
    nullable: true,
    description: 'Largest job that its nodes in service can hold; null where the site does not say.',
  })
  usableProcessors?: number | null;

  @Field(() => QueueBarEnum, { nullable: true, description: 'Why our jobs do not start in it; null while they may.' })
  bar?: QueueBar | null;

  @Field(() => String, {
    nullable: true,
    description:
      'What the bar is about, as the field of a job is called: `account`, `qos` or `siteReservation`. It does not hold for jobs that name their own, which the site judges. Null where it holds for all.',
  })
  barredTerm?: keyof SiteTerms | null;

  @Field(() => String, { nullable: true, description: 'That in a sentence.' })
  unusableBecause?: string | null;

  @Field(() => Allocation, { nullable: true, description: 'What goes with what its jobs ask for; null if not told.' })
  allocation: Allocation | null;
}

@ObjectType({
  description: 'A stretch of time for which a site has set processors aside; nothing is promised into it.',
})
export class Maintenance {
  constructor(private readonly window: MaintenanceWindow) {}

  @Field(() => DateTime, { description: 'When it begins.' })
  get startAt(): Date {
    return toMoment(this.window.startAt);
  }

  @Field(() => DateTime, { description: 'When it ends.' })
  get endAt(): Date {
    return toMoment(this.window.endAt);
  }

  @Field(() => Int, { nullable: true, description: 'How many processors are set aside; null for all of them.' })
  get processors(): number | null {
    return this.window.processors;
  }

  @Field(() => String, { description: 'What the site calls it.' })
  get reason(): string {
    return this.window.reason;
  }
}

@ObjectType({ description: 'What a site said at one moment, in figures.' })
export class Observation {
  constructor(private readonly row: ObservationRow) {}

  @Field(() => DateTime, { description: 'The moment.' })
  get observedAt(): Date {
    return toMoment(this.row.observedAt);
  }

  @Field(() => Int, { description: 'Processors of the site.' })
  get processors(): number {
    return this.row.processors;
  }

  @Field(() => Int, { description: 'Processors that no job held.' })
  get freeProcessors(): number {
    return this.row.freeProcessors;
  }

  @Field(() => Int, { description: 'Jobs in the queue.' })
  get waitingJobs(): number {
    return this.row.waitingJobs;
  }

  @Field(() => Int, { description: 'Processors those jobs ask for together.' })
  get waitingProcessors(): number {
    return this.row.waitingProcessors;
  }

  @Field(() => Int, { description: 'Jobs that held processors.' })
  get runningJobs(): number {
    return this.row.runningJobs;
  }
}

@ObjectType({ description: 'Promises made at a site whose moment has come.' })
export class PromiseRecord {
  @Field(() => Int, { description: 'How many were kept or missed.' })
  decided!: number;

  @Field(() => Int, { description: 'How many of them were kept.' })
  kept!: number;

  @Field(() => Float, { nullable: true, description: 'Mean promised probability; null while none is decided.' })
  promised!: number | null;
}

@ObjectType({ implements: Node, description: 'One batch-scheduled machine.' })
export class Site extends Node {
  readonly nodeType = 'Site';

  constructor(readonly row: SiteRow) {
    super(row.id);
  }

  @Field(() => String, { description: 'Its name, unique in the deployment.' })
  get name(): string {
    return this.row.name;
  }

  @Field(() => String, { description: 'Name of the adapter it is reached through.' })
  get adapter(): string {
    return this.row.adapter;
  }

  @Field(() => SiteStateEnum, { description: 'Whether it is given work.' })
  get state(): SiteState {
    return this.row.state;
  }

  @Field(() => [String], { description: 'What it has that jobs may require, by its admins: software or data.' })
  get tags(): string[] {
    return this.row.tags;
  }

  @Field(() => DateTime, { nullable: true, description: 'When it was removed; null while it is there.' })
  get removedAt(): Date | null {
    return toMoment(this.row.removedAt);
  }

  @Field(() => Int, { description: 'Processors it has; 0 until it is first observed.' })
  get processors(): number {
    return this.row.processors;
  }

  @Field(() => Int, {
    nullable: true,
    description: 'Processors of nodes that are in service; null until it is observed.',
  })
  get usableProcessors(): number | null {
    return this.row.usableProcessors;
  }

  @Field(() => [Maintenance], { description: 'What it has set aside, as of when its facts were last read.' })
  get maintenance(): Maintenance[] {
    return maintenanceOf(this.row).map((window) => new Maintenance(window));
  }

  @Field(() => [Queue], { description: 'Its queues, by name.' })
  get queues(): Queue[] {
    return resourceFactsOf(this.row).queues.map((queue) => new Queue(queue));
  }

  @Field(() => [NodeShape], { description: 'Its nodes, alike ones together; none where it does not say.' })
  get nodeShapes(): NodeShape[] {
    return resourceFactsOf(this.row).nodeShapes.map((shape) => new NodeShape(shape));
  }

  @Field(() => [Licence], { description: 'Licences that it counts out, in use or not.' })
  get licences(): Licence[] {
    return resourceFactsOf(this.row).licences.map((licence) => new Licence(licence));
  }

  @Field(() => [String], { description: 'What jobs can ask of it beside processors and walltime, by its name.' })
  get honours(): readonly string[] {
    return resourceFactsOf(this.row).honours;
  }

  @Field(() => DateTime, { nullable: true, description: 'When it was last observed; null when it never answered.' })
  get observedAt(): Date | null {
    return toMoment(this.row.observedAt);
  }

  @Field(() => String, {
    nullable: true,
    description: 'What was wrong when it was last looked at; null while it answers.',
  })
  get fault(): string | null {
    const code = faultOf(this.row);
    return code && faultSentence(code);
  }

  @Field(() => SiteFaultCodeEnum, {
    nullable: true,
    description: 'The same for programs. Details are in the log of the operator.',
  })
  get faultCode(): FaultCode | null {
    return faultOf(this.row);
  }

  @Field(() => [OpenBreaker], {
    description: 'Services of it that are left alone because calls of them failed, as of its newest look; none else.',
  })
  get openBreakers(): OpenBreaker[] {
    return openBreakersOf(this.row).map((breaker) => new OpenBreaker(breaker));
  }

  @Field(() => Float, {
    nullable: true,
    description: 'Seconds by which its clock is ahead of ours, negative when behind; null before it was measured.',
  })
  get clockSkewSeconds(): number | null {
    return this.row.clockSkewSeconds;
  }
}

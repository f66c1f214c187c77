import { Field, Float, Int, ObjectType } from 'type-graphql';
import type {
  SiteCheck as Check,
  CheckedVerb,
  VerbCheck as OneCheck,
  IdentityCheck as OneIdentity,
} from '../../commands/check-site.ts';
import { type FaultCode, faultSentence } from '../../domain/failures.ts';
import { SiteFaultCodeEnum, SiteVerbEnum, VerbResultEnum } from '../shared/enums.ts';
import { Queue } from './site.type.ts';

@ObjectType({ description: 'How one question to a site went.' })
export class VerbCheck {
  constructor(private readonly check: OneCheck) {}

  @Field(() => SiteVerbEnum, { description: 'What it was asked.' })
  get verb(): CheckedVerb {
    return this.check.verb;
  }

  @Field(() => VerbResultEnum, { description: 'How that went.' })
  get result(): OneCheck['result'] {
    return this.check.result;
  }

  @Field(() => String, { nullable: true, description: 'What went wrong; null when nothing did.' })
  get fault(): string | null {
    const { fault } = this.check;
    return fault && faultSentence(fault);
  }

  @Field(() => SiteFaultCodeEnum, {
    nullable: true,
    description: 'The same for programs. Details are in the log of the operator.',
  })
  get faultCode(): FaultCode | null {
    return this.check.fault;
  }

  @Field(() => Float, { description: 'How long it took.' })
  get milliseconds(): number {
    return this.check.milliseconds;
  }
}

@ObjectType({ description: 'How the account of a tenant did at a site.' })
export class IdentityCheck {
  constructor(private readonly check: OneIdentity) {}

  @Field(() => String, { description: 'Name of the tenant.' })
  get tenant(): string {
    return this.check.tenant;
  }

  @Field(() => String, { description: 'The Unix user at the site.' })
  get user(): string {
    return this.check.user;
  }

  @Field(() => String, { nullable: true, description: 'What went wrong; null when nothing did.' })
  get fault(): string | null {
    const { fault } = this.check;
    return fault && faultSentence(fault);
  }
}

@ObjectType({
  description:
    'What a site says when the process that answers the API asks it everything that is only read. What it did not tell is null.',
})
export class SiteCheck {
  constructor(private readonly check: Check) {}

  @Field(() => Boolean, { description: 'Whether it answered whatever it was asked.' })
  get passed(): boolean {
    return this.check.passed;
  }

  @Field(() => [VerbCheck], { description: 'How each question went.' })
  get verbs(): VerbCheck[] {
    return this.check.verbs.map((verb) => new VerbCheck(verb));
  }

  @Field(() => Boolean, { description: 'Whether its accounting knows jobs that have left the queue.' })
  get accounting(): boolean {
    return this.check.capabilities.accounting;
  }

  @Field(() => Float, { description: 'Longest time between the end of a job and its appearance in accounting.' })
  get accountingLagSeconds(): number {
    return this.check.capabilities.accountingLagSeconds;
  }

  @Field(() => Int, { nullable: true, description: 'Processors it has.' })
  get processors(): number | null {
    return this.check.processors;
  }

  @Field(() => [Queue], { nullable: true, description: 'Its queues.' })
  get queues(): Queue[] | null {
    return this.check.queues && this.check.queues.map((queue) => new Queue(queue));
  }

  @Field(() => Int, { nullable: true, description: 'Jobs in its queue.' })
  get waitingJobs(): number | null {
    return this.check.waitingJobs;
  }

  @Field(() => Int, { nullable: true, description: 'Jobs that hold processors.' })
  get runningJobs(): number | null {
    return this.check.runningJobs;
  }

  @Field(() => Float, {
    nullable: true,
    description: 'Seconds by which its clock is ahead of ours, negative when behind.',
  })
  get clockSkewSeconds(): number | null {
    return this.check.clockSkewSeconds;
  }

  @Field(() => Int, { nullable: true, description: 'Jobs that its accounting tells of the last day.' })
  get recentRecords(): number | null {
    return this.check.recentRecords;
  }

  @Field(() => [IdentityCheck], { description: 'How the accounts of tenants did, where they have their own.' })
  get identities(): IdentityCheck[] {
    return this.check.identities.map((identity) => new IdentityCheck(identity));
  }
}

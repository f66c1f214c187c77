import { Field, Float, ObjectType } from 'type-graphql';
import type { DownTimeSign, DownTimeEvidence as Evidence } from '../../domain/down-time.ts';
import { type FaultCode, faultSentence } from '../../domain/failures.ts';
import type { OpenBreaker as OpenBreakerFacts } from '../../domain/site-service.ts';
import { downEvidenceOf, type SiteRow } from '../../store/sites.ts';
import { DownTimeSignEnum, SiteFaultCodeEnum } from '../shared/enums.ts';
import { toMoment } from '../shared/moments.ts';
import { DateTime } from '../shared/scalars.ts';

@ObjectType({ description: 'One reason to think that a site is down.' })
export class DownTimeEvidence {
  constructor(private readonly evidence: Evidence) {}

  @Field(() => DownTimeSignEnum, { description: 'What it shows.' })
  get sign(): DownTimeSign {
    return this.evidence.sign;
  }

  @Field(() => DateTime, { description: 'When that began.' })
  get sinceAt(): Date {
    return toMoment(this.evidence.sinceAt);
  }

  @Field(() => Float, { description: 'Seconds without an answer or a start; number of jobs whose waits grew.' })
  get observed(): number {
    return this.evidence.observed;
  }

  @Field(() => Float, { description: 'The least of that which is a sign at this site.' })
  get limit(): number {
    return this.evidence.limit;
  }

  @Field(() => String, { description: 'The same in a sentence.' })
  get explanation(): string {
    return this.evidence.explanation;
  }
}

@ObjectType({ description: 'What the down-time detector makes of a site.' })
export class DownTime {
  constructor(private readonly row: SiteRow) {}

  @Field(() => Boolean, { description: 'Whether the site is taken to be down.' })
  get isDown(): boolean {
    return this.evidence.length > 0;
  }

  @Field(() => DateTime, { nullable: true, description: 'Since when promises are suspended for that; null otherwise.' })
  get suspendedAt(): Date | null {
    return toMoment(this.row.suspendedAt);
  }

  @Field(() => [DownTimeEvidence], { description: 'Why; empty while it is up.' })
  get evidence(): DownTimeEvidence[] {
    return downEvidenceOf(this.row).map((evidence) => new DownTimeEvidence(evidence));
  }
}

@ObjectType({
  description: 'A service of a site whose circuit breaker is open: it is left alone but for a try now and then.',
})
export class OpenBreaker {
  constructor(private readonly breaker: OpenBreakerFacts) {}

  @Field(() => String, { description: 'What is left alone, for example its scheduler or its accounting.' })
  get service(): string {
    return this.breaker.service;
  }

  @Field(() => DateTime, { description: 'Since when.' })
  get openedAt(): Date {
    return toMoment(this.breaker.openedAt);
  }

  @Field(() => String, { description: 'What its last failure was.' })
  get fault(): string {
    return faultSentence(this.breaker.code);
  }

  @Field(() => SiteFaultCodeEnum, { description: 'The same for programs.' })
  get faultCode(): FaultCode {
    return this.breaker.code;
  }
}

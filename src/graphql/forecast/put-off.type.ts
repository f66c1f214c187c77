import { Field, ObjectType } from 'type-graphql';
import type { PutOff as DomainPutOff } from '../../domain/plan.ts';
import { toMoment } from '../shared/moments.ts';
import { DateTime } from '../shared/scalars.ts';
import { Maintenance } from '../site/site.type.ts';

@ObjectType({
  description: 'A start that a site puts off: it starts no job that might not have ended when a maintenance begins.',
})
export class PutOff {
  constructor(private readonly putOff: DomainPutOff) {}

  @Field(() => DateTime, { description: 'The earliest start, once the windows in the way are over.' })
  get startAt(): Date {
    return toMoment(this.putOff.startAt);
  }

  @Field(() => Maintenance, { description: 'The first window in the way.' })
  get maintenance(): Maintenance {
    return new Maintenance(this.putOff.window);
  }

  @Field(() => String, { description: 'The same in a sentence.' })
  get explanation(): string {
    return this.putOff.explanation;
  }
}

import { Field, Float, ObjectType } from 'type-graphql';
import type { OutputOfJob } from '../../commands/read-output.ts';
import { OUTPUT_STREAMS, type OutputStream } from '../../domain/job-output.ts';
import { defineEnum } from '../shared/define-enum.ts';
import { toMoment } from '../shared/moments.ts';
import { DateTime } from '../shared/scalars.ts';

export const OutputStreamEnum = defineEnum('OutputStream', OUTPUT_STREAMS, 'Where a job writes.', {
  STDOUT: 'Standard output.',
  STDERR: 'Standard error.',
});

@ObjectType({ description: 'A piece of what a job has written.' })
export class JobOutput {
  constructor(private readonly output: OutputOfJob) {}

  @Field(() => OutputStreamEnum, { description: 'Where it was written.' })
  get stream(): OutputStream {
    return this.output.stream;
  }

  @Field(() => String, { description: 'The bytes as they are, in base64.' })
  get base64(): string {
    return Buffer.from(this.output.bytes).toString('base64');
  }

  @Field(() => String, {
    description: 'The bytes as UTF-8. What is none, as a character that a piece cuts in two, shows as U+FFFD.',
  })
  get text(): string {
    return Buffer.from(this.output.bytes).toString('utf8');
  }

  @Field(() => Float, { description: 'Of the first of these bytes, from 0.' })
  get offset(): number {
    return this.output.offset;
  }

  @Field(() => Float, { description: 'Where to read on.' })
  get nextOffset(): number {
    return this.output.nextOffset;
  }

  @Field(() => Float, {
    nullable: true,
    description: 'How much there was when the site was asked; null when the job had written nothing by then.',
  })
  get totalBytes(): number | null {
    return this.output.totalBytes;
  }

  @Field(() => Boolean, { description: 'Nothing follows: the job is over, and this reaches to the end.' })
  get isComplete(): boolean {
    return this.output.isComplete;
  }

  @Field(() => DateTime, { description: 'When it was asked for. The site was asked then, or in the second before.' })
  get observedAt(): Date {
    return toMoment(this.output.observedAt);
  }
}

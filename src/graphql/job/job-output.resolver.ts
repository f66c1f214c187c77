import { Arg, Ctx, FieldResolver, Float, ID, Int, Resolver, Root, Subscription } from 'type-graphql';
import { type OutputOfJob, readOutput } from '../../commands/read-output.ts';
import type { OutputStream } from '../../domain/job-output.ts';
import type { ApiContext } from '../context.ts';
import { Job } from './job.type.ts';
import { JobOutput, OutputStreamEnum } from './job-output.type.ts';
import { followOutput } from './output-tail.ts';

const USUAL_BYTES = 65_536;

/** What jobs have written. */
@Resolver(() => Job)
export class JobOutputResolver {
  @FieldResolver(() => JobOutput, {
    complexity: 20,
    description:
      'What it has written, by its newest attempt, while it runs and for as long as the text of its script is kept. Its site is asked at most once a second for a stream.',
  })
  async output(
    @Root() { row }: Job,
    @Arg('stream', () => OutputStreamEnum, { defaultValue: 'STDOUT', description: 'Which of its streams.' })
    stream: OutputStream,
    @Arg('offset', () => Float, { defaultValue: 0, description: 'Of the first byte wanted, from 0.' }) offset: number,
    @Arg('limit', () => Int, { defaultValue: USUAL_BYTES, description: 'Bytes at most, up to 1,048,576.' })
    limit: number,
    @Ctx() { commands }: ApiContext,
  ): Promise<JobOutput> {
    return new JobOutput(await readOutput(commands, row, { stream, offset, limit }));
  }

  @Subscription(() => JobOutput, {
    subscribe: followOutput,
    description:
      'What a job writes from an offset on, as it comes, until the job is over and all of it was told. While it runs its site is asked every second.',
  })
  async jobOutput(
    @Root() piece: OutputOfJob,
    @Arg('id', () => ID, { description: 'Global id.' }) _id: string,
    @Arg('stream', () => OutputStreamEnum, { defaultValue: 'STDOUT', description: 'Which of its streams.' })
    _stream: OutputStream,
    @Arg('offset', () => Float, { defaultValue: 0, description: 'Of the first byte wanted, from 0.' }) _offset: number,
  ): Promise<JobOutput> {
    return new JobOutput(piece);
  }
}

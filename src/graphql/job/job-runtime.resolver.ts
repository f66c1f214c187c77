import { Ctx, FieldResolver, Resolver, Root } from 'type-graphql';
import { forecastJob, type RuntimeOfJob } from '../../commands/forecast-job.ts';
import type { ApiContext } from '../context.ts';
import { RuntimeForecast } from '../forecast/runtime-forecast.type.ts';
import { toMoment } from '../shared/moments.ts';
import { DateTime } from '../shared/scalars.ts';
import { Job } from './job.type.ts';

/** How long a job runs, and when it is expected to end. */
@Resolver(() => Job)
export class JobRuntimeResolver {
  @FieldResolver(() => RuntimeForecast, {
    nullable: true,
    complexity: 20,
    description:
      'How long its work runs at its site by what is known now, by the predictor of runtimes that decides; while it is RUNNING, given how long it has run. Null until it has a site, and once it has ended.',
  })
  async runtime(@Root() job: Job, @Ctx() context: ApiContext): Promise<RuntimeForecast | null> {
    const asked = await runtimeOfJob(job, context);
    return asked && new RuntimeForecast(asked.runtime, context.commands.limits.staleAfterSeconds);
  }

  @FieldResolver(() => DateTime, {
    nullable: true,
    complexity: 20,
    description:
      'When it is expected to end, by the most likely runtime; null unless it is RUNNING and something is known of its runtime.',
  })
  async expectedEndAt(@Root() job: Job, @Ctx() context: ApiContext): Promise<Date | null> {
    return toMoment((await runtimeOfJob(job, context))?.expectedEndAt ?? null);
  }
}

/** Asked once for all that is shown of a job. */
function runtimeOfJob(job: Job, context: ApiContext): Promise<RuntimeOfJob | null> {
  const { commands, loaders } = context;
  const ask = async () => forecastJob(commands, job.row, await loaders.reservationOf.load(job.row.id));
  job.askedRuntime ??= ask();
  return job.askedRuntime;
}

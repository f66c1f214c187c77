import { Field, ObjectType } from 'type-graphql';
import type { CommandContext } from '../../commands/carry-out/context.ts';
import type { ForecastAtSite } from '../../commands/forecast-wait.ts';
import type { LossReason } from '../../domain/loss-reason.ts';
import { LossReasonEnum } from '../shared/plan-enums.ts';
import { Site } from '../site/site.type.ts';
import { ofTheJob } from './of-the-job.ts';
import { WaitForecast } from './wait-forecast.type.ts';

@ObjectType({ description: 'What one of several sites answers to the question how long a job would wait there.' })
export class SiteForecast {
  constructor(
    private readonly answer: ForecastAtSite,
    private readonly commands: CommandContext,
  ) {}

  @Field(() => Site, { description: 'The site.' })
  get site(): Site {
    return new Site(this.answer.site);
  }

  @Field(() => WaitForecast, { nullable: true, description: 'Its forecast; null where it could never run such a job.' })
  get forecast(): WaitForecast | null {
    const { site, query, forecast, putOff } = this.answer;
    if (!forecast || !query) return null;
    const { staleAfterSeconds } = this.commands.limits;
    return new WaitForecast(forecast, staleAfterSeconds, putOff, ofTheJob(this.commands, site.id, query));
  }

  @Field(() => LossReasonEnum, { nullable: true, description: 'Why it could never; null beside a forecast.' })
  get impossibleBecause(): LossReason | null {
    return this.answer.impossible?.reason ?? null;
  }

  @Field(() => String, { nullable: true, description: 'The same in a sentence with its figures.' })
  get explanation(): string | null {
    return this.answer.impossible?.explanation ?? null;
  }
}

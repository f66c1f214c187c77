import type { EpochSeconds } from '../../domain/clock.ts';
import type { WaitQuery } from '../../domain/forecast.ts';
import type { RunningJob, Snapshot, WaitingJob } from '../../domain/snapshot.ts';
import type { PredictedResponses } from '../../plan/job/delay.ts';
import type { WaitPredictor } from '../../predict/predictor.ts';
import { gapFor, planLoad } from '../../predict/wait/site-load.ts';
import type { ReplayedSite } from '../../sim/replayed-site.ts';
import type { Arrival } from '../../sim/submission-hook.ts';
import type { DelayJudge } from './delayed-submissions.ts';
import type { RuntimesOfJobs } from './job-runtimes.ts';
import { stateThen } from './state-then.ts';

/** A submission to be forecast, as of a moment. */
interface Question {
  readonly arrival: Arrival;
  readonly state: Snapshot;
  readonly runSeconds: number;
  readonly totalSeconds: (job: WaitingJob | RunningJob) => number;
}

/** The wait of a submission at a moment, from then on. */
type WaitAt = (question: Question, submitAt: EpochSeconds) => number;

/** By a plan of the queue as it stands, every job run as long as it is taken to. */
export function judgeByPlan(runtimes: RuntimesOfJobs): DelayJudge {
  return judgeBy(runtimes, ({ arrival, state, runSeconds, totalSeconds }, submitAt) => {
    return gapFor(planLoad(state, totalSeconds), arrival.job.processors, runSeconds, submitAt).startAt - submitAt;
  });
}

/**
 * By a predictor that is asked then as it is now, about the state that the site would be in if nobody came until then:
 * the paper's way, which forecasts the load then by the jobs that will have ended.
 */
export function judgeByStateThen(predictor: WaitPredictor, runtimes: RuntimesOfJobs): DelayJudge {
  return judgeBy(runtimes, ({ arrival, state, totalSeconds }, submitAt) => {
    const then = submitAt > state.observedAt ? stateThen(state, submitAt, totalSeconds) : state;
    return predictor.predict(queryOf(arrival, submitAt), then, submitAt).pointSeconds;
  });
}

/** By a predictor that forecasts submissions now and later alike from what the site looks like now. */
export function judgeByLead(predictor: WaitPredictor, runtimes: RuntimesOfJobs): DelayJudge {
  return judgeBy(runtimes, ({ arrival, state }, submitAt) => {
    const query = { ...queryOf(arrival, submitAt), isOneOfMany: true };
    return predictor.predict(query, state, arrival.at).pointSeconds;
  });
}

/** Holds back whoever would not start at once, whatever comes of it. */
export function judgeBlindly(runtimes: RuntimesOfJobs): DelayJudge {
  const plan = judgeByPlan(runtimes);
  return {
    ...plan,
    responses(arrival, site, laterAt) {
      const { atOnceSeconds } = plan.responses(arrival, site, laterAt);
      return { atOnceSeconds, delayedSeconds: atOnceSeconds > runtimes.ofArrival(arrival) ? 0 : atOnceSeconds };
    },
  };
}

function judgeBy(runtimes: RuntimesOfJobs, waitAt: WaitAt): DelayJudge {
  return {
    endsAt: (site) => expectedEndsAt(site, runtimes),
    responses(arrival, site, laterAt): PredictedResponses {
      const runSeconds = runtimes.ofArrival(arrival);
      const totalSeconds = (job: WaitingJob | RunningJob) => runtimes.ofJob(job, site);
      const question = { arrival, state: site.snapshot(), runSeconds, totalSeconds };
      return {
        atOnceSeconds: waitAt(question, arrival.at) + runSeconds,
        delayedSeconds: laterAt - arrival.at + waitAt(question, laterAt) + runSeconds,
      };
    },
  };
}

function expectedEndsAt(site: ReplayedSite, runtimes: RuntimesOfJobs): EpochSeconds[] {
  return site.snapshot().running.map((job) => job.startAt + runtimes.ofJob(job, site));
}

function queryOf({ user, queue, job }: Arrival, submitAt: EpochSeconds): WaitQuery {
  const { processors, walltimeSeconds: requestedWalltimeSeconds } = job;
  return { user, queue, processors, requestedWalltimeSeconds, submitAt };
}

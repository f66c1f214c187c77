import type { JobRequest } from '../../../domain/job.ts';
import { plannedWaitSeconds } from '../site-load.ts';
import type { SitePlan } from './site-plans.ts';

/**
 * When the job would start if nobody else came: behind the queue and as if there were none, with every job running as
 * long as it asked for and as long as its like ran; and the work that is ahead of it.
 * @param runSeconds how long the job is expected to run
 */
export function planFeatures(job: JobRequest, plan: SitePlan, runSeconds: number): Record<string, number> {
  const { byRequest, byExpectation } = plan;
  const { processors, requestedWalltimeSeconds } = job;
  return {
    plannedWaitByRequest: plannedWaitSeconds(byRequest.queue, processors, requestedWalltimeSeconds ?? runSeconds),
    plannedWaitByExpectation: plannedWaitSeconds(byExpectation.queue, processors, runSeconds),
    processorsFreeInByRequest: plannedWaitSeconds(byRequest.machine, processors, 0),
    processorsFreeInByExpectation: plannedWaitSeconds(byExpectation.machine, processors, 0),
    workLeftByRequest: plan.workLeftByRequest,
    workLeftByExpectation: plan.workLeftByExpectation,
    expectedWorkWaiting: plan.expectedWorkWaiting,
  };
}

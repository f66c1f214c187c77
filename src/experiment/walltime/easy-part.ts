import { measure } from '../../sim/metrics.ts';
import { POLICIES } from '../../sim/policy.ts';
import { simulate } from '../../sim/simulate.ts';
import type { ExperimentRow, PartInput } from '../experiment.ts';
import { machineOf } from '../simulate.ts';
import { asItIs, knownEstimates, loggedSeconds } from './adjusted-schedule.ts';
import { createAdjuster, estimatesOf } from './adjustments.ts';
import { AlongLog } from './along-log.ts';

/** What EASY++ predicts runtimes with. */
const LAST_TWO = 'baseline/last-two';

/**
 * EASY with the requested walltimes and with predicted runtimes, of waiting and of running jobs, backfilled in the
 * order of arrival and the shortest first. EASY++ is the latter with the mean of a user's last two runtimes.
 */
export function easyPart({ workload, parameters, onProgress }: PartInput): ExperimentRow[] {
  const processors = machineOf(workload, Number(parameters.processors) || undefined);
  const settings = String(parameters.settings);
  const alongLog = parameters.past === 'log' ? new AlongLog(workload, settings) : null;
  const estimatesBy = (runtime: string) =>
    alongLog
      ? knownEstimates(loggedSeconds(alongLog.of(runtime)), 'all', asItIs)
      : { estimates: estimatesOf(createAdjuster(runtime, settings), 'all') };
  const runtimes = [null, ...new Set([LAST_TWO, ...String(parameters.runtimes).split(',')])];
  const runs = runtimes.flatMap((runtime) => (['easy', 'easy-sjbf'] as const).map((policy) => ({ runtime, policy })));
  return runs.map(({ runtime, policy }, index) => {
    const simulation = simulate(workload, {
      processors,
      policy: POLICIES[policy],
      onProgress: (jobs) => onProgress(Math.floor((workload.length * index + jobs) / runs.length)),
      ...(runtime !== null && estimatesBy(runtime)),
    });
    const { jobs, meanWaitSeconds, meanBoundedSlowdown } = measure(simulation);
    const isEasyPlusPlus = runtime === LAST_TWO && policy === 'easy-sjbf';
    return {
      name: isEasyPlusPlus ? 'easy++' : `${policy}/${runtime ?? 'requested'}`,
      jobs,
      meanWaitSeconds,
      meanBoundedSlowdown,
    };
  });
}

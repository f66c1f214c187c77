import type { EpochSeconds } from '../../domain/clock.ts';
import { formatExactSeconds } from '../../domain/duration.ts';
import type { AutoWalltime } from '../../domain/plan.ts';
import type { NewDependency, NewGroupDependency } from '../../store/dependencies.ts';
import type { AskedChoices } from '../../store/plan-requests.ts';
import type { CommandContext } from '../carry-out/context.ts';
import { checkRisk } from '../offers/advised-walltimes.ts';
import { checkDependencies } from './dependencies.ts';
import { FaultList } from './faults.ts';
import { checkFinishBy, type FinishInput } from './finish-input.ts';
import { checkFound, type FoundInput } from './labels.ts';
import { type ChoicesInput, toChoices } from './plan-choices.ts';
import { checkStaging } from './staging-input.ts';
import { checkDelay, checkMoment, checkWork, type WorkInput } from './work-input.ts';

/** A job that is run as its caller asks, without what makes a call of it. */
export interface JobInput extends WorkInput, ChoicesInput, FoundInput {
  /** For a walltime that is chosen by a risk; `walltimeSeconds` is the most that it may be then. */
  readonly auto?: AutoWalltime;
  /** Only a site where it is predicted to have ended by then is chosen; null for as soon as possible. */
  readonly deadlineAt: EpochSeconds | null;
  /** Jobs that it comes after; none unless told. */
  readonly after?: readonly NewDependency[];
  /** Groups that it comes after; none unless told. */
  readonly afterGroups?: readonly NewGroupDependency[];
  /** Another one, ahead of whose end it is submitted, so that it starts when that ends; none unless told. */
  readonly startAfter?: NewDependency;
  /** By when it is to have finished with which probability, which is promised; goes without `deadlineAt`. */
  readonly finishBy?: FinishInput | null;
  /** For how long it may be held back when it is predicted to end much sooner for that; not at all unless told. */
  readonly maxDelaySeconds?: number | null;
  /** The same so that it does not start into a burst of its site's IO. */
  readonly avoidIoBurstsSeconds?: number | null;
}

/** Throws every fault of a job that does not depend on the sites. Returns among what its plan is to choose. */
export function checkJob({ limits }: Pick<CommandContext, 'limits'>, input: JobInput, now: EpochSeconds): AskedChoices {
  const faults = new FaultList();
  checkWork(faults, input, 'input', limits);
  if (input.auto) checkRisk(faults, input.auto.risk, 'input.walltimeRisk');
  checkDependencies(faults, input);
  checkFound(faults, input, limits);
  checkStaging(faults, input, limits);
  checkFinishBy(faults, input, now, limits);
  const choices = toChoices(faults, input, input, 'input', limits);
  checkDelay(faults, input, limits);
  if (input.deadlineAt !== null) {
    const field = 'input.deadlineAt';
    checkMoment(faults, input.deadlineAt, field, now, limits);
    const leftSeconds = input.deadlineAt - now;
    const tooNear = !input.auto && !input.sizes && leftSeconds > 0 && leftSeconds < input.walltimeSeconds;
    faults.require(
      !tooNear,
      field,
      `deadlineAt is ${formatExactSeconds(Math.floor(leftSeconds))} ahead and the job may run ${formatExactSeconds(input.walltimeSeconds)}; ask for less walltime or more time`,
    );
  }
  faults.assertNone();
  return choices;
}

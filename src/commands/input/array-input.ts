import type { EpochSeconds } from '../../domain/clock.ts';
import type { AskedChoices } from '../../store/plan-requests.ts';
import type { CommandContext } from '../carry-out/context.ts';
import { FaultList } from './faults.ts';
import { checkJob, type JobInput } from './job-input.ts';
import { checkStagedTasks } from './staging-input.ts';
import { checkWhole } from './work-input.ts';

/** Which tasks an array has, and how many of them may be at sites at once. */
export interface TasksInput {
  readonly tasks: number;
  /** 0 unless told. */
  readonly firstIndex?: number;
  /** From one index to the next; 1 unless told. */
  readonly step?: number;
  /** Null or absent for as many as sites take. */
  readonly limit?: number | null;
}

/** Tasks of one array. */
export const MOST_TASKS = 10_000;
/** What a task's index may be at most. */
const LARGEST_INDEX = 2 ** 31 - 1;

/** The indexes of an array's tasks, in their order. */
export function indexesOf({ tasks, firstIndex = 0, step = 1 }: TasksInput): number[] {
  return Array.from({ length: tasks }, (_, index) => firstIndex + index * step);
}

/** Throws every fault of an array that does not depend on the sites. Returns among what its plans are to choose. */
export function checkArray(
  context: Pick<CommandContext, 'limits'>,
  input: TasksInput & JobInput,
  now: EpochSeconds,
): AskedChoices {
  const { tasks, firstIndex = 0, step = 1, limit = null } = input;
  const faults = new FaultList();
  checkWhole(faults, tasks, 'input.tasks', MOST_TASKS);
  checkWhole(faults, step, 'input.step', LARGEST_INDEX);
  const isIndex = Number.isInteger(firstIndex) && firstIndex >= 0;
  faults.require(isIndex, 'input.firstIndex', `firstIndex must be a whole number from 0 on, got ${firstIndex}`);
  const last = firstIndex + (tasks - 1) * step;
  const tooLarge = `the last index would be ${last}, at most ${LARGEST_INDEX} is accepted; begin lower or step less`;
  faults.require(last <= LARGEST_INDEX, 'input.firstIndex', tooLarge);
  if (limit !== null) checkWhole(faults, limit, 'input.limit', MOST_TASKS);
  if (input.staging) checkStagedTasks(faults, input.staging, tasks);
  faults.assertNone();
  return checkJob(context, input, now);
}

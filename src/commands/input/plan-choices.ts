import { MOST_SIZES, type SizeChoice, type SpeedupModel } from '../../domain/job-sizes.ts';
import type { JobResources } from '../../domain/resources.ts';
import { type SizeSteps, sizesInRange } from '../../plan/job/sizes.ts';
import { speedupFault } from '../../plan/job/speedup.ts';
import type { AskedChoices } from '../../store/plan-requests.ts';
import type { Limits } from '../carry-out/context.ts';
import type { FaultList } from './faults.ts';
import { checkSizeless } from './resources-input.ts';
import { checkWhole } from './work-input.ts';

/** Sizes as a caller gives them. */
export interface OfferedSizes {
  readonly list: readonly number[];
  /** Both or none. */
  readonly from: number | null;
  readonly to: number | null;
  readonly steps: SizeSteps;
  readonly fromHistory: boolean;
}

/** Among what a plan may choose beside the sites. */
export interface ChoicesInput {
  /** Absent or null for the stated size alone. */
  readonly sizes?: OfferedSizes | null;
  readonly speedup?: SpeedupModel | null;
}

/** The size and resources that are stated beside them. */
interface StatedSize {
  readonly processors: number;
  readonly resources?: JobResources | undefined;
}

/**
 * The sizes among which a plan is to choose. Adds what is wrong with them.
 * @param path where they sit in the caller's input
 */
export function toChoices(
  faults: FaultList,
  input: ChoicesInput,
  stated: StatedSize,
  path: string,
  limits: Limits,
): AskedChoices {
  const { sizes = null, speedup = null } = input;
  faults.require(
    speedup === null || sizes !== null,
    `${path}.speedup`,
    'speedup tells the runtime at other sizes; give sizes, or leave it out',
  );
  if (sizes !== null && stated.resources) checkSizeless(faults, stated.resources, `${path}.resources`);
  const fault = speedup && speedupFault(speedup);
  if (fault) faults.require(false, `${path}.speedup.${fault.field}`, `${fault.field} ${fault.problem}`);
  return { sizes: sizes && sizeChoice(faults, sizes, speedup, stated, `${path}.sizes`, limits) };
}

function sizeChoice(
  faults: FaultList,
  input: OfferedSizes,
  speedup: SpeedupModel | null,
  { processors: stated }: StatedSize,
  path: string,
  { maxProcessors }: Limits,
): SizeChoice {
  const { list, from, to, steps, fromHistory } = input;
  const isGiven = list.length > 0 || from !== null || to !== null || fromHistory;
  faults.require(isGiven, path, 'sizes names no size; give list, or from and to, or fromHistory');
  faults.require(
    (from === null) === (to === null),
    path,
    'a range of sizes needs both from and to; give both, or list',
  );
  for (const [index, size] of list.entries()) checkWhole(faults, size, `${path}.list[${index}]`, maxProcessors);
  if (from !== null) checkWhole(faults, from, `${path}.from`, maxProcessors);
  if (to !== null) checkWhole(faults, to, `${path}.to`, maxProcessors);
  const isRange = from !== null && to !== null && from >= 1;
  if (isRange) faults.require(from <= to, `${path}.to`, `to must not be below from, got ${from} to ${to}`);
  const range = isRange ? sizesInRange(from, to, steps, MOST_SIZES) : [];
  if (isRange && from <= to) {
    faults.require(
      range.length > 0,
      path,
      `there is no power of two from ${from} to ${to}; widen the range, or give list`,
    );
  }
  const processors = [...new Set([...list, ...range])].filter((size) => size !== stated).sort((a, b) => a - b);
  faults.require(
    processors.length < MOST_SIZES,
    path,
    `more than ${MOST_SIZES} sizes in all, the stated one included; narrow the range, or give list`,
  );
  return { processors, fromHistory, speedup };
}

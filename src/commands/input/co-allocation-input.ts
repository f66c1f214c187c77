import type { EpochSeconds } from '../../domain/clock.ts';
import type { LegMissPolicy } from '../../domain/co-allocation.ts';
import { findRuleFaults } from '../../domain/rule-faults.ts';
import { countCharacters, quoted } from '../../domain/text.ts';
import type { Idempotent } from '../carry-out/carry-out.ts';
import type { CommandContext } from '../carry-out/context.ts';
import { COPY_MARK, type CoAllocationTerms, type LegTerms } from './co-allocation-terms.ts';
import { FaultList, isPlain } from './faults.ts';
import { checkMoment, checkPadding, checkProbability, checkWhole, checkWork, type WorkInput } from './work-input.ts';

/**
 * Several jobs that must be running at one moment: all of them, any one, at least some, or a rule made of such rules.
 */
export interface CoAllocateInput extends CoAllocationTerms, Idempotent {
  readonly legs: readonly LegInput[];
  readonly ifLegMissed: LegMissPolicy;
  /** Where the rule sits in the caller's input. */
  readonly rulePath: string;
}

/** One of the jobs, with its name in the rule. */
export interface LegInput extends WorkInput, LegTerms {}

/**
 * Judges a co-allocation that is asked for by its own words alone.
 * @throws CallerError with everything that is wrong with it
 */
export function checkCoAllocation({ limits }: CommandContext, input: CoAllocateInput, now: EpochSeconds): void {
  const faults = new FaultList();
  const { legs } = input;
  checkMoment(faults, input.startAt, 'input.startAt', now, limits);
  checkProbability(faults, input.probability, 'input.probability');
  const { minimumPessimisticProbability: minimum = null, mostSitesPerLeg = 1 } = input;
  if (minimum !== null) checkProbability(faults, minimum, 'input.minimumPessimisticProbability');
  checkWhole(faults, mostSitesPerLeg, 'input.mostSitesPerLeg', limits.maxSitesPerLeg);
  const count = legs.length;
  faults.require(
    count >= 2 && count <= limits.maxLegs,
    'input.legs',
    `a co-allocation has 2 to ${limits.maxLegs} legs, got ${count}`,
  );
  if (count <= limits.maxLegs) {
    for (const [index, leg] of legs.entries()) {
      checkWork(faults, leg, `input.legs[${index}]`, limits);
      checkPadding(faults, leg.maxPaddingProcessorSeconds ?? null, `input.legs[${index}].maxPaddingProcessorSeconds`);
    }
    checkRule(faults, input);
  }
  faults.assertNone();
}

function checkRule(faults: FaultList, { legs, rule, rulePath, mostSitesPerLeg = 1 }: CoAllocateInput): void {
  const names = legs.map(({ legId }) => legId);
  for (const [index, legId] of names.entries()) {
    const field = `input.legs[${index}].id`;
    const fits = legId.length >= 1 && countCharacters(legId) <= LONGEST_LEG_NAME;
    faults.require(fits, field, `a leg's name has 1 to ${LONGEST_LEG_NAME} characters, got ${quoted(legId)}`);
    faults.require(isPlain(legId), field, `a leg's name has no control characters, got ${quoted(legId)}`);
    faults.require(names.indexOf(legId) === index, field, `another leg is called ${quoted(legId)} already`);
    const isUnmarked = mostSitesPerLeg === 1 || !legId.includes(COPY_MARK);
    faults.require(isUnmarked, field, `the name of a leg at several sites has no ${COPY_MARK}, got ${quoted(legId)}`);
  }
  if (names.length === 0 || new Set(names).size < names.length) return;
  for (const { code, field, message } of findRuleFaults(rule, names, rulePath)) faults.add(code, field, message);
}

const LONGEST_LEG_NAME = 64;

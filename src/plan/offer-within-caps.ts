import type { Trajectory } from '../domain/plan.ts';
import type { Steps } from '../domain/steps.ts';
import type { PartCandidate } from './assignment.ts';
import { describeCost } from './charge.ts';
import { refusalReason } from './co-allocate.ts';
import { type JointInput, type JointOffer, jointSteps } from './offer-jointly.ts';

/** A candidate, and those points of its trajectory at which its padding is within what its caller pays. */
export interface CappedCandidate extends PartCandidate {
  readonly affordable: Trajectory;
}

/** The same as `JointInput`, with what may be paid for padding. */
export interface CappedJointInput extends JointInput {
  readonly candidates: readonly CappedCandidate[];
}

/** A part that would need more padding than is paid, and how much would do. */
export interface DearPart {
  readonly partId: string;
  readonly worstPaddingProcessorSeconds: number;
  /** What that would cost on average, in words. */
  readonly cost: string;
}

/** As `JointOffer`, or a refusal for the sake of padding alone. */
export type CappedJointOffer =
  | JointOffer
  | (Omit<Extract<JointOffer, { kind: 'REFUSAL' }>, 'unmet'> & {
      readonly unmet: 'maxPaddingProcessorSeconds';
      readonly dearParts: readonly DearPart[];
    });

/**
 * Offers what `jointSteps` does within the caps on padding. Where that is refused and would be offered for more
 * padding, it says for which parts, and how much would do.
 */
export function* cappedJointSteps(input: CappedJointInput): Steps<CappedJointOffer> {
  const candidates = input.candidates.map((candidate) => ({ ...candidate, trajectory: candidate.affordable }));
  const offer = yield* jointSteps({ ...input, candidates });
  const isCapped = input.candidates.some(({ trajectory, affordable }) => affordable.length < trajectory.length);
  if (offer.kind === 'PROMISE' || !isCapped) return offer;
  const dear = yield* jointSteps(input);
  if (dear.kind === 'REFUSAL') return offer;
  const dearParts = dearPartsOf(input, dear);
  const needed = dearParts.map(
    ({ partId, worstPaddingProcessorSeconds: padding }) => `${Math.ceil(padding)} processor-seconds for leg ${partId}`,
  );
  const within = refusalReason(input, offer.bestJointProbability);
  const costs = dearParts.map(({ cost }) => cost).join(', ');
  const reason = `${within} within the cap on padding; a padding of at most ${needed.join(', ')} would do: ${costs}`;
  return { ...offer, unmet: 'maxPaddingProcessorSeconds', dearParts, reason };
}

function dearPartsOf({ candidates }: CappedJointInput, { legs }: Extract<JointOffer, { kind: 'PROMISE' }>): DearPart[] {
  const most = new Map<string, DearPart>();
  for (const { legId, point, charge } of legs) {
    const candidate = candidates.find((one) => one.legId === legId);
    if (!candidate || candidate.affordable.some(({ submitAt }) => submitAt === point.submitAt)) continue;
    const { partId } = candidate;
    const { worstPaddingProcessorSeconds, expectedPaddingProcessorSeconds, neededProcessorSeconds } = charge;
    if ((most.get(partId)?.worstPaddingProcessorSeconds ?? 0) > worstPaddingProcessorSeconds) continue;
    const cost = describeCost(expectedPaddingProcessorSeconds, neededProcessorSeconds);
    most.set(partId, { partId, worstPaddingProcessorSeconds, cost });
  }
  return [...most.values()];
}

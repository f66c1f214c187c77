/**
 * The life of a promise and of the job that is to keep it, as pure decisions: from what is known and seen at one moment
 * to the moves that follow. The service writes them down (`src/flow/write-moves.ts`), experiments apply them.
 *
 * What is due is read off the states (`whatIsDue`). Seen jobs move it on (`whatFollows`), and so do those that are not
 * seen (`whatSilenceMeans`, `whatLossMeans`). Its moment decides it (`whatItsMomentMeans`), its end settles it
 * (`whatTheEndMeans`, `chargesOf`). In between it is submitted, refused, released, moved and cancelled.
 */
export { isFinishPromised } from '../deadline/deadline-facts.ts';
export { applyMoves, type KeptPromise } from './apply-moves.ts';
export { whatAskingToCancelMeans, whatCancellationMeans } from './cancellation.ts';
export { type ChargedAmount, chargedFor, chargesOf, heldIdleSeconds, withLostTries } from './charges.ts';
export { decidePromise, type LastSeen, UNSEEN, whatItsMomentMeans, whatTheEndMeans } from './decide-promise.ts';
export { type Departure, mayBeAskedBack, mayBeWithdrawn, whyLeave } from './departure.ts';
export { type Due, isLookFresh, isOpen, whatIsDue } from './due.ts';
export { gateHeldSeconds, isGateShut, whatGivingUpMeans, whatOpeningMeans, workBeganAt } from './gate.ts';
export { workBeginsAt } from './held-again.ts';
export { type Moves, noMoves } from './moves.ts';
export {
  type ExecutionFacts,
  isNeverStarted,
  type Leaving,
  type PromiseFacts,
  type TrackedJob,
} from './promised-job.ts';
export { releasable, whatReleaseMeans } from './release.ts';
export {
  UNPLANNED,
  whatAbsenceMeans,
  whatAcceptanceMeans,
  whatIntentMeans,
  whatLateSubmissionMeans,
  whatNoTakerMeans,
  whatRefusalMeans,
  whatUnknownAttemptMeans,
} from './submission-moves.ts';
export { isNews, whatFollows } from './what-follows.ts';
export { type Silence, whatLossMeans, whatSilenceMeans } from './what-silence-means.ts';

import { StaleTurn } from '../domain/failures.ts';
import type { WakeUp } from '../store/outbox.ts';
import type { FlowContext } from './context.ts';
import type { Step } from './due-steps.ts';
import type { Next } from './turn.ts';

/** Carries out a step and measures it. A turn lost to another worker ends quietly. */
export async function runStep(context: FlowContext, why: Partial<WakeUp>, step: Step): Promise<Next | 'STALE'> {
  const begunAt = performance.now();
  const report = (result: 'DONE' | 'STALE' | 'FAILED') =>
    context.meters.onStep({ name: step.name, result, milliseconds: performance.now() - begunAt });
  try {
    const next = await step.run();
    report('DONE');
    return next;
  } catch (error) {
    report(error instanceof StaleTurn ? 'STALE' : 'FAILED');
    if (!(error instanceof StaleTurn)) throw error;
    context.logger.info({ ...why, step: step.name }, 'turn lost to another worker');
    return 'STALE';
  }
}

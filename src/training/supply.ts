import { createRequire } from 'node:module';
import { supplyTrainer, TrainerAbsentError } from '../predict/prionn/training.ts';
import { LiveTrainer } from './live-trainer.ts';
import { ONNX_RUNTIME } from './onnx-runtime.ts';
import { WaitingTrainer } from './waiting-trainer.ts';

let waiting: WaitingTrainer | null = null;
let live: LiveTrainer | null = null;

/** From now on predictors of this thread that are made are taught, and wait for what they are taught. */
export function supplyWaitingTrainer(): void {
  supplyTrainer(() => {
    assertTrainable();
    waiting ??= new WaitingTrainer();
    return waiting;
  });
}

/** From now on predictors of this thread that are made are taught, and go on meanwhile. */
export function supplyLiveTrainer(): void {
  supplyTrainer(() => {
    assertTrainable();
    live ??= new LiveTrainer();
    return live;
  });
}

/**
 * Why networks cannot be computed on this machine, and what to do; null where they can.
 * @param who wants to
 */
export function whyUntrainable(who = 'prionn'): string | null {
  try {
    createRequire(import.meta.url).resolve(ONNX_RUNTIME);
    return null;
  } catch {
    const remedy = `install it with "npm ci --include=optional", or leave ${who} out`;
    return `${who} needs the optional package ${ONNX_RUNTIME}, which is not installed; ${remedy}`;
  }
}

/** @throws TrainerAbsentError when the package that trains is not installed */
function assertTrainable(): void {
  const why = whyUntrainable();
  if (why !== null) throw new TrainerAbsentError(why);
}

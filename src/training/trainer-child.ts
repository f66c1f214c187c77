import { setPriority } from 'node:os';
import type { TrainingRequest } from '../predict/prionn/training.ts';
import { networkFor, type TakeStep, trainingEvent } from '../predict/prionn/training-event.ts';
import { onnxStep } from './onnx-step.ts';
import type { TrainerAnswer } from './trainer-protocol.ts';

/** The process that trains: one request at a time, until whoever forked it is gone. */
const MOST_BYTES = 1.5e9;
/** Behind whoever serves. */
const NICENESS = 10;

setPriority(NICENESS);
const steps = new Map<string, Promise<TakeStep>>();
process.on('disconnect', () => process.exit(0));
process.on('message', (request) => {
  void answerTo(request as TrainingRequest)
    .catch((error): TrainerAnswer => ({ kind: 'failed', reason: String(error) }))
    .then((answer) => process.send?.(answer));
});

async function answerTo(request: TrainingRequest): Promise<TrainerAnswer> {
  const before = process.cpuUsage();
  const network = networkFor(request.settings);
  const plan = JSON.stringify(network.plan);
  const step = steps.get(plan) ?? onnxStep(network);
  steps.set(plan, step);
  const { state, losses } = await trainingEvent(request, network, bounded(await step));
  const { user, system } = process.cpuUsage(before);
  const memoryBytes = 1024 * process.resourceUsage().maxRSS;
  return { kind: 'trained', state, cost: { cpuSeconds: (user + system) / 1e6, memoryBytes, losses } };
}

function bounded(takeStep: TakeStep): TakeStep {
  return (inputs) => {
    const bytes = process.memoryUsage.rss();
    if (bytes > MOST_BYTES)
      throw new RangeError(`training takes ${bytes} bytes of memory; at most ${MOST_BYTES} are allowed`);
    return takeStep(inputs);
  };
}

import { expect, test } from 'vitest';
import type { JobRequest } from '../../../../src/domain/job.ts';
import { TextMemory } from '../../../../src/predict/text/text-memory.ts';

/** A run on an input, of a user who numbers the runs and names them by the input. */
function run(input: string, number: number, steps: number): JobRequest {
  const script = `#SBATCH -J ${input}.${number}\nmodule load solver\n./solve -in ${input}.dat -steps ${steps}\n`;
  const program = { name: `${input}.${number}`, script, arguments: [], workFolder: null };
  return { user: 'ann', queue: null, processors: 4, requestedWalltimeSeconds: 3600, program };
}

const amountOf = (steps: number) => Math.log1p(1e6 * steps);

test('what numbers of a script say is known of a new input, too, whose name stands before a number', () => {
  const memory = new TextMemory();
  for (let number = 1; number <= 12; number++) {
    const [job, steps] = [run('mesh12', number, 100 * number), 100 * number];
    memory.learn(job, memory.see(job, number), amountOf(steps), number);
  }
  const { guess, guesses } = memory.see(run('mesh77', 13, 40_000), 13);
  expect(guesses.numbers).toBeNaN();
  expect(guess).toBe(guesses.outline);
  // Not beyond twice the most that was seen, however large a number is.
  expect(guess).toBeGreaterThan(amountOf(1200) + 0.5);
  expect(memory.see(run('mesh77', 14, 650), 14).guess).toBeCloseTo(amountOf(650), 1);
});

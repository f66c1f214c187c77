import { expect, test } from 'vitest';
import { ThreadQuestions } from '../../../src/forecast/ask-thread.ts';
import type { PostedQuestion } from '../../../src/forecast/thread-options.ts';

const QUERY = { queue: null, processors: 1, requestedWalltimeSeconds: 60, user: null, submitAt: 0 };

/** A thread that answers when the test says so. */
function heldThread() {
  const asked: PostedQuestion[] = [];
  const answers = new Map<number, (error?: Error) => void>();
  const cancelled: number[] = [];
  const questions = new ThreadQuestions({
    ask(one) {
      asked.push(one);
      return new Promise((resolve, reject) => {
        answers.set(one.id, (error) => (error ? reject(error) : resolve([])));
      });
    },
    cancel(id) {
      cancelled.push(id);
      answers.get(id)?.(new Error('aborted'));
    },
  });
  return { questions, asked, cancelled, answerAll: () => answers.forEach((answer) => void answer()) };
}

const asker = (name: string, mostInFlight: number, controller = new AbortController()) => ({
  name,
  mostInFlight,
  signal: controller.signal,
});

test('a tenant with much under way is told to wait, others are not, and an answer makes room', async () => {
  const { questions, answerAll } = heldThread();
  const mine = questions.askedBy(asker('mine', 2));
  const first = [mine.forecastWaits('site', [QUERY]), mine.forecastWaits('site', [QUERY])];
  await expect(mine.forecastWaits('site', [QUERY])).rejects.toMatchObject({ code: 'BUSY' });
  const theirs = questions.askedBy(asker('theirs', 2)).forecastWaits('site', [QUERY]);
  answerAll();
  expect(await Promise.all([...first, theirs])).toEqual([[], [], []]);
  const again = mine.forecastWaits('site', [QUERY]);
  answerAll();
  expect(await again).toEqual([]);
});

test('what a caller hung up on is cancelled, makes room, and is not asked again', async () => {
  const { questions, asked, cancelled } = heldThread();
  const controller = new AbortController();
  const mine = questions.askedBy(asker('mine', 1, controller));
  const waiting = mine.forecastWaits('site', [QUERY]);
  controller.abort(new Error('hung up'));
  await expect(waiting).rejects.toThrow('hung up');
  await expect(mine.forecastWaits('site', [QUERY])).rejects.toThrow('hung up');
  expect({ asked: asked.length, cancelled }).toEqual({ asked: 1, cancelled: [asked[0]?.id] });
  void questions.askedBy(asker('mine', 1)).forecastWaits('site', [QUERY]);
  expect(asked).toHaveLength(2);
});

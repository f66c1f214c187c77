import { pino } from 'pino';
import { expect, onTestFinished, test } from 'vitest';
import { logConsole } from '../../../src/main/console-words.ts';

test('what a package prints is told by the log, once', () => {
  const logged: Record<string, unknown>[] = [];
  const logger = pino({ base: null }, { write: (line: string) => void logged.push(JSON.parse(line)) });
  const { warn } = console;
  const giveBack = logConsole(logger);
  onTestFinished(giveBack);
  for (const _ of [1, 2, 3]) console.warn('Eviction policy is %s', 'allkeys-lru');
  console.error('another one');
  giveBack();
  expect(console.warn).toBe(warn);
  expect(logged.map(({ level, words }) => [level, words])).toEqual([
    [40, 'Eviction policy is allkeys-lru'],
    [40, 'another one'],
  ]);
});

import { pino } from 'pino';
import { expect, onTestFinished, test } from 'vitest';
import { logConsole } from '../../../src/main/console-words.ts';

test('what a package prints, and Node.js warns of, is told by the log, once', async () => {
  const logged: Record<string, unknown>[] = [];
  const logger = pino({ base: null }, { write: (line: string) => void logged.push(JSON.parse(line)) });
  const { warn } = console;
  const printers = process.listeners('warning');
  const giveBack = logConsole(logger);
  onTestFinished(giveBack);
  for (const _ of [1, 2, 3]) console.warn('Eviction policy is %s', 'allkeys-lru');
  console.error('another one');
  process.emitWarning("'require' is an alias of 'verify-full'", 'SECURITY WARNING');
  await new Promise(setImmediate);
  giveBack();
  expect(console.warn).toBe(warn);
  expect(process.listeners('warning')).toEqual(printers);
  expect(logged.map(({ level, words }) => [level, words])).toEqual([
    [40, 'Eviction policy is allkeys-lru'],
    [40, 'another one'],
    [40, "SECURITY WARNING: 'require' is an alias of 'verify-full'"],
  ]);
});

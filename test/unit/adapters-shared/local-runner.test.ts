import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createLocalRunner } from '../../../adapters/shared/local-runner.ts';

const options = { timeoutMilliseconds: 10_000, outputLimitCharacters: 100_000, environment: { COLOUR: 'red' } };
const runner = createLocalRunner(options);

describe('a program run here', () => {
  test('gives status and both streams as they are', async () => {
    const result = await runner.run({ argv: ['sh', '-c', 'echo out; printf err >&2; exit 3'] });
    expect(result).toEqual({ exitCode: 3, stdout: 'out\n', stderr: 'err' });
  });

  test('gets its arguments and its input byte for byte', async () => {
    const text = fc.string({ unit: 'binary', maxLength: 200 }).map((drawn) => drawn.replaceAll('\0', ''));
    await fc.assert(
      fc.asyncProperty(fc.array(text, { maxLength: 5 }), text, async (words, stdin) => {
        const script =
          'process.stdout.write(JSON.stringify([process.argv.slice(1), require("fs").readFileSync(0, "utf8")]))';
        const { stdout } = await runner.run({ argv: [process.execPath, '-e', script, '--', ...words], stdin });
        expect(JSON.parse(stdout)).toEqual([words, stdin]);
      }),
      { numRuns: 15 },
    );
  });

  test('inherits nothing of our environment', async () => {
    const { stdout } = await runner.run({ argv: ['env'], environment: { SIZE: 'large' } });
    const names = stdout
      .trim()
      .split('\n')
      .map((line) => line.split('=')[0]);
    expect(names.sort()).toEqual(['COLOUR', 'PATH', 'SIZE']);
  });

  test('is killed with its children when it takes too long', async () => {
    const command = { argv: ['sh', '-c', 'sleep 600 & echo $!; sleep 600'] as const, timeoutMilliseconds: 300 };
    const begunAt = performance.now();
    await expect(runner.run(command)).rejects.toMatchObject({ reason: 'TIMED_OUT' });
    expect(performance.now() - begunAt).toBeLessThan(5000);
  });

  test('leaves no child behind', async () => {
    const seconds = `600.${process.pid}`;
    const argv = ['sh', '-c', `sleep ${seconds} & wait`] as const;
    await expect(runner.run({ argv, timeoutMilliseconds: 300 })).rejects.toThrow();
    await sleep(200);
    expect(commandLines().filter((line) => line.includes(seconds))).toEqual([]);
  });

  test('is killed when it says too much', async () => {
    await expect(runner.run({ argv: ['yes'] })).rejects.toMatchObject({ reason: 'OUTPUT_LIMIT' });
  });

  test('has certainly not run when there is no such program', async () => {
    await expect(runner.run({ argv: ['no-such-program', 'secret'] })).rejects.toMatchObject({
      reason: 'NOT_STARTED',
      message: expect.not.stringContaining('secret'),
    });
  });

  test('may have done anything when it was killed', async () => {
    await expect(runner.run({ argv: ['sh', '-c', 'kill -9 $$'] })).rejects.toMatchObject({ reason: 'LOST' });
  });
});

/** Command lines of all processes of this machine. */
function commandLines(): string[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((processId) => {
      try {
        return readFileSync(`/proc/${processId}/cmdline`, 'utf8').replaceAll('\0', ' ');
      } catch {
        return '';
      }
    });
}

import { execFile } from 'node:child_process';
import { expect, test } from 'vitest';

/** What a command says on standard error, and how it ends, where so few files may be open. */
function runWithFew(command: string): Promise<{ code: unknown; stderr: string }> {
  const line = `ulimit -n 256 && exec "${process.execPath}" bin/gridcast.mjs ${command}`;
  return new Promise((resolve) => {
    execFile('sh', ['-c', line], (error, _stdout, stderr) => resolve({ code: error?.code, stderr }));
  });
}

test.each(['serve', 'worker'])('where too few files may be open %s says so, and what to do', async (command) => {
  const { code, stderr } = await runWithFew(command);
  expect(code).toBe(1);
  expect(stderr).toMatch(/a process may have 256 files open here.*\n.*ulimit -n 4096/);
  expect(stderr).not.toMatch(/^ +at /m);
});

import { main } from '../../../src/cli/main.ts';

/** What a command printed and how it ended. */
export interface CommandRun {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
  /** Standard output as the one JSON document that `--json` promises. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look into documents of every shape
  json(): any;
  /** Standard output as the objects that a command streams, one a line. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look into documents of every shape
  lines(): any[];
}

/** Runs one command in this process, as the shell would. */
export async function runCli(...args: readonly string[]): Promise<CommandRun> {
  const written = { stdout: '', stderr: '' };
  const originals = { stdout: process.stdout.write, stderr: process.stderr.write };
  for (const name of ['stdout', 'stderr'] as const) {
    process[name].write = ((text: string | Uint8Array) => {
      written[name] += text.toString();
      return true;
    }) as typeof process.stdout.write;
  }
  const exitCodeBefore = process.exitCode;
  process.exitCode = 0;
  try {
    await main(['node', 'gridcast', ...args]);
    const lines = () =>
      written.stdout
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line));
    return { ...written, exitCode: Number(process.exitCode), json: () => JSON.parse(written.stdout), lines };
  } finally {
    process.stdout.write = originals.stdout;
    process.stderr.write = originals.stderr;
    process.exitCode = exitCodeBefore;
  }
}

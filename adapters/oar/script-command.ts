import { gzipSync } from 'node:zlib';
import { Rejected } from '../../src/domain/failures.ts';
import type { JobSpec } from '../../src/domain/job.ts';
import { wrapperShell } from '../../src/domain/script-text.ts';
import { wrapJob } from '../shared/self-contained.ts';

/** One argument of a program may have 128 KiB; the rest is for the words around it. */
const MAX_COMMAND_CHARACTERS = 120 * 1024;

/**
 * A job's script and arguments as the command OAR runs, by the owner's login shell whatever that is. Its text is ours
 * but for base64, in which no shell finds anything to read, so neither shells nor OAR (`#OAR` lines, `%jobid%`, Perl's
 * eval on the node) see the caller's.
 * @throws Rejected when it is longer than a command can be
 */
export function scriptCommand(spec: JobSpec): string {
  const packed = gzipSync(wrapJob(spec), { level: 9 }).toString('base64');
  const command = `exec ${wrapperShell(spec.script).join(' ')} -c 'eval "$(printf %s ${packed} | base64 -d | gzip -dc)"'`;
  if (command.length <= MAX_COMMAND_CHARACTERS) return command;
  throw new Rejected(
    `script and arguments have ${command.length} characters as OAR's command; at most ${MAX_COMMAND_CHARACTERS} fit: put data into a file`,
  );
}

import { once } from 'node:events';
import { findThing } from '../client/lookup.ts';
import { CliFailure, EXIT } from '../failure.ts';
import type { Session } from '../session.ts';

/** Options of `gridcast logs`. */
export interface LogsOptions {
  readonly follow?: boolean;
  readonly stderr?: boolean;
  /** Bytes to leave out at the beginning. */
  readonly offset: number;
}

interface Piece {
  readonly base64: string;
  readonly offset: number;
  readonly nextOffset: number;
  readonly totalBytes: number | null;
  readonly isComplete: boolean;
}

/**
 * `gridcast logs JOB`: what a job has written, byte for byte, to standard output; with `--follow` also what comes,
 * until the job is over. With `--json` a line for every piece.
 */
export async function runLogs(session: Session, options: LogsOptions, text = ''): Promise<void> {
  const { kind, id } = await findThing(session.client, text);
  if (kind !== 'Job') throw new CliFailure(`${text} is no job`, EXIT.caller, 'give the id of the job');
  const pieces = options.follow ? followPieces(session, options, id) : readPieces(session, options, id);
  let at = options.offset;
  for await (const piece of pieces) {
    // A subscription that was made again begins where the first one did.
    const bytes = Buffer.from(piece.base64, 'base64').subarray(Math.max(0, at - piece.offset));
    at = Math.max(at, piece.nextOffset);
    if (session.output.json) session.output.event(piece, () => '');
    else await write(bytes);
    if (piece.isComplete) return;
  }
}

async function* readPieces({ client }: Session, { stderr, offset }: LogsOptions, id: string): AsyncGenerator<Piece> {
  for (let at = offset; ; ) {
    const variables = { id, stream: streamOf(stderr), offset: at };
    const { job } = await client.request<{ job: { output: Piece } | null }>(READ, variables);
    if (!job) throw new CliFailure(`job ${id} does not exist`, EXIT.caller);
    yield job.output;
    if (job.output.nextOffset === at || job.output.isComplete) return;
    at = job.output.nextOffset;
  }
}

async function* followPieces({ client }: Session, { stderr, offset }: LogsOptions, id: string): AsyncGenerator<Piece> {
  const events = client.subscribe<{ jobOutput: Piece }>(FOLLOW, { id, stream: streamOf(stderr), offset });
  try {
    for await (const { jobOutput } of events) yield jobOutput;
  } finally {
    void events.return?.();
  }
}

function streamOf(stderr = false): string {
  return stderr ? 'STDERR' : 'STDOUT';
}

/** Waits while whoever reads is slower than the service. */
async function write(bytes: Uint8Array): Promise<void> {
  if (bytes.length > 0 && !process.stdout.write(bytes)) await once(process.stdout, 'drain');
}

const PIECE = '{ base64 offset nextOffset totalBytes isComplete }';
const READ = `query Output($id: ID!, $stream: OutputStream!, $offset: Float!) {
  job(id: $id) { output(stream: $stream, offset: $offset, limit: 1048576) ${PIECE} }
}`;
const FOLLOW = `subscription Follow($id: ID!, $stream: OutputStream!, $offset: Float!) {
  jobOutput(id: $id, stream: $stream, offset: $offset) ${PIECE}
}`;

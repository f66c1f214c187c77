/** The two streams that a job writes. */
export const OUTPUT_STREAMS = ['STDOUT', 'STDERR'] as const;
export type OutputStream = (typeof OUTPUT_STREAMS)[number];

/** Bytes of one stream of the job that bears a submission key. */
export interface OutputRequest {
  readonly key: string;
  readonly stream: OutputStream;
  /** Of the first byte wanted, from 0. */
  readonly offset: number;
  /** Bytes at most, `MAX_OUTPUT_BYTES` or fewer. */
  readonly limit: number;
}

/** What a site has of a stream, from an offset on. */
export interface OutputPiece {
  /** Exactly as the job wrote them, whatever they encode; none at the end. */
  readonly bytes: Uint8Array;
  /** Size of the stream when it was read, which may grow as long as the job runs. */
  readonly totalBytes: number;
}

/** So much of a stream is read at once at most. */
export const MAX_OUTPUT_BYTES = 1 << 20;

/** The file of a stream, in the folder that is named by the submission key. */
export function streamFileName(stream: OutputStream): string {
  return stream === 'STDOUT' ? 'stdout' : 'stderr';
}

import { setTimeout as sleep } from 'node:timers/promises';
import type { OutputPiece, OutputRequest } from '../../domain/job-output.ts';

/** The newest piece of a stream, and the moment at which it was asked for, in milliseconds of `performance.now`. */
interface Held {
  readonly offset: number;
  readonly piece: OutputPiece | null;
  readonly readAt: number;
}

/**
 * One stream of one job, read by one caller at a time. What was read less than a second ago is given to whoever asks
 * for a byte of it, or for what comes behind its end.
 */
export class HeldStream {
  private held: Held | null = null;
  private underWay: Promise<unknown> | null = null;
  private credit = MOST_AT_ONCE;
  private creditAt = performance.now();

  /** @throws what `readOutput` throws, and the reason of the signal */
  async read(
    request: OutputRequest,
    readOutput: (request: OutputRequest) => Promise<OutputPiece | null>,
    signal?: AbortSignal,
  ): Promise<OutputPiece | null> {
    for (;;) {
      signal?.throwIfAborted();
      const known = this.held && cut(this.held, request);
      if (known !== undefined && known !== null) return known.piece;
      if (this.underWay) {
        await this.underWay.catch(() => undefined);
        continue;
      }
      const waitMilliseconds = this.waitMilliseconds();
      if (waitMilliseconds > 0) {
        await sleep(waitMilliseconds, undefined, signal && { signal });
        continue;
      }
      return this.ask(request, readOutput);
    }
  }

  private async ask(
    request: OutputRequest,
    readOutput: (request: OutputRequest) => Promise<OutputPiece | null>,
  ): Promise<OutputPiece | null> {
    this.credit--;
    const readAt = performance.now();
    const reading = readOutput(request);
    this.underWay = reading;
    try {
      const piece = await reading;
      this.hold({ offset: request.offset, piece, readAt });
      return piece;
    } finally {
      this.underWay = null;
    }
  }

  /** It is forgotten as soon as nobody is given it any more. */
  private hold(held: Held): void {
    this.held = held;
    setTimeout(() => {
      if (this.held === held) this.held = null;
    }, INTERVAL_MILLISECONDS).unref();
  }

  /** Until the site may be asked again; it may be asked as often as there is credit, which comes back by time. */
  private waitMilliseconds(): number {
    const now = performance.now();
    this.credit = Math.min(MOST_AT_ONCE, this.credit + (now - this.creditAt) / INTERVAL_MILLISECONDS);
    this.creditAt = now;
    return this.credit >= 1 ? 0 : Math.ceil((1 - this.credit) * INTERVAL_MILLISECONDS);
  }
}

/** What of a piece answers a request, null where that is too old or lies elsewhere. */
function cut({ offset, piece, readAt }: Held, request: OutputRequest): { piece: OutputPiece | null } | null {
  if (performance.now() - readAt > INTERVAL_MILLISECONDS) return null;
  if (piece === null) return { piece };
  const { bytes, totalBytes } = piece;
  const from = request.offset - offset;
  if (from < 0) return null;
  const isBehindEnd = request.offset >= totalBytes && offset + bytes.length >= totalBytes;
  if (from >= bytes.length && !isBehindEnd) return null;
  return { piece: { bytes: bytes.subarray(from, from + request.limit), totalBytes } };
}

/** A site is asked once in that time for a stream ... */
const INTERVAL_MILLISECONDS = 1000;
/** ... but for the first pieces of a long one. */
const MOST_AT_ONCE = 8;

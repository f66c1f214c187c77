import { write, writeSync } from 'node:fs';
import type { DestinationStream } from 'pino';

/**
 * Where a process writes its log: nobody waits for it, and what cannot be written is lost, as on a full disk. How much
 * that was is told once it can be written again. What is left at the exit is tried for a moment; pino's own destination
 * tries it for ever.
 */
export class LogStream implements DestinationStream {
  private lines: string[] = [];
  private characters = 0;
  /** On its way; empty when nothing is. */
  private piece: Buffer = NOTHING;
  /** Whether the system has it in hand, which finishes it even while the process ends. */
  private isInHand = false;
  private lost = 0;

  constructor(private readonly fd: number) {
    process.once('exit', () => this.flush());
  }

  write(line: string): void {
    if (this.characters > MOST_CHARACTERS) {
      this.lost++;
      return;
    }
    this.lines.push(line);
    this.characters += line.length;
    if (this.piece.length === 0) this.next();
  }

  private next(): void {
    if (this.lines.length === 0) return;
    this.piece = Buffer.from(this.takeLines());
    this.writeOn();
  }

  private takeLines(): string {
    const text = this.lines.join('');
    this.lines = [];
    this.characters = 0;
    return text;
  }

  private writeOn(): void {
    this.isInHand = true;
    write(this.fd, this.piece, (error, written) => {
      this.isInHand = false;
      if (error && PASSING.includes(error.code ?? '')) {
        setTimeout(() => this.writeOn(), PAUSE_MILLISECONDS).unref();
        return;
      }
      if (error) this.lose();
      else this.wrote(written);
      if (this.piece.length > 0) this.writeOn();
      else this.next();
    });
  }

  private lose(): void {
    this.lost += this.piece.toString().split('\n').length - 1;
    this.piece = NOTHING;
  }

  private wrote(bytes: number): void {
    this.piece = this.piece.subarray(bytes);
    if (this.lost === 0 || this.piece.length > 0) return;
    const told = {
      level: 40,
      time: Date.now(),
      pid: process.pid,
      lines: this.lost,
      msg: 'lines of this log were lost',
    };
    this.lost = 0;
    this.lines.unshift(`${JSON.stringify(told)}\n`);
  }

  private flush(): void {
    let left = Buffer.concat([this.isInHand ? NOTHING : this.piece, Buffer.from(this.takeLines())]);
    for (let tries = 0; left.length > 0 && tries < TRIES_AT_EXIT; ) {
      try {
        left = left.subarray(writeSync(this.fd, left));
      } catch (error) {
        if (!PASSING.includes((error as NodeJS.ErrnoException).code ?? '')) return;
        tries++;
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, PAUSE_MILLISECONDS);
      }
    }
  }
}

const NOTHING = Buffer.alloc(0);
/** Nobody reads just now. */
const PASSING = ['EAGAIN', 'EBUSY'];
const MOST_CHARACTERS = 4 << 20;
const PAUSE_MILLISECONDS = 20;
const TRIES_AT_EXIT = 25;

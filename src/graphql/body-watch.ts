import type { Request } from 'express';

/** What the bodies of each tenant that are being read take at once, in bytes. */
export class BodyRoom {
  readonly #taken = new Map<string, number>();

  /** How much of it who has in hand takes. */
  takenBy(who: string): number {
    return this.#taken.get(who) ?? 0;
  }

  take(who: string, bytes: number): void {
    this.#taken.set(who, this.takenBy(who) + bytes);
  }

  giveBack(who: string, bytes: number): void {
    const left = this.takenBy(who) - bytes;
    if (left > 0) this.#taken.set(who, left);
    else this.#taken.delete(who);
  }
}

/** How fast a body has to come in: at least so many bytes in so much time. */
export interface BodyPace {
  readonly leastBytes: number;
  readonly milliseconds: number;
}

/** Told of a body while others read it. */
export interface BodyWatcher {
  /** All that has come so far, in bytes. */
  onGrown(bytes: number): void;
  /** Too little has come for long. */
  onDrip(): void;
}

/**
 * Follows how a body comes in. A process that stood still hears late what came meanwhile: that it drips is told by two
 * looks between which too little came.
 * @param pace how many bytes have to come between two looks, and the milliseconds between these
 * @returns ends it
 */
export function watchBody(request: Request, pace: BodyPace, watcher: BodyWatcher): () => void {
  let came = 0;
  let seen = 0;
  const hear = (piece: Buffer) => {
    came += piece.length;
    watcher.onGrown(came);
  };
  const looks = setInterval(() => {
    if (came - seen < pace.leastBytes) watcher.onDrip();
    seen = came;
  }, pace.milliseconds);
  request.on('data', hear);
  return () => {
    clearInterval(looks);
    request.off('data', hear);
  };
}

/**
 * Keeps nothing more of a body that was refused, and cuts it off unless it ends soon. Who still sends gets the answer
 * meanwhile.
 */
export function leaveBody(request: Request): void {
  request.removeAllListeners('data');
  request.resume();
  const { socket } = request;
  const cut = setTimeout(() => socket.destroy(), LINGER_MILLISECONDS);
  for (const end of ['end', 'close']) request.once(end, () => clearTimeout(cut));
}

const LINGER_MILLISECONDS = 5000;

import { invariant } from './failures.ts';

/**
 * The legal moves of a thing with a life: for every state, the states that may follow it. A state with none is final.
 */
export type LegalMoves<State extends string> = Readonly<Record<State, readonly State[]>>;

/** True when no move leads out of `state`. */
export function isFinal<State extends string>(moves: LegalMoves<State>, state: State): boolean {
  return moves[state].length === 0;
}

/** Crashes when `from -> to` is not a legal move. */
export function assertMove<State extends string>(what: string, moves: LegalMoves<State>, from: State, to: State): void {
  invariant(moves[from].includes(to), `${what} cannot go from ${from} to ${to}`);
}

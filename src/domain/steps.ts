/** A long computation in pieces: between them whoever carries it out may do something else, or drop it. */
export type Steps<Answer> = Generator<undefined, Answer, undefined>;

/** Carries out all of it at once. */
export function finish<Answer>(steps: Steps<Answer>): Answer {
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
}

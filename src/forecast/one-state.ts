import type { Steps } from '../domain/steps.ts';

/** What a question sees from the moment it begins. */
export interface Reading<View> {
  readonly view: View;
  /** Whether what is seen has learned since, so that the question has to begin again. */
  readonly isOutdated: boolean;
  /** To be called once, when the question is over or begins again. */
  close(): void;
}

/** A site, or several, that can be asked. */
export interface Asked<View> {
  /** Begins a question. */
  open(): Reading<View>;
}

/**
 * A question that sees one state of its sites from its first piece to its last, whatever is learned between them. It
 * begins when its first piece is computed, and again where a site's model could not wait for it, see `NewsGate`.
 */
export function* onOneState<View, Answer>(asked: Asked<View>, question: (view: View) => Steps<Answer>): Steps<Answer> {
  for (;;) {
    const reading = asked.open();
    try {
      const steps = question(reading.view);
      while (!reading.isOutdated) {
        const { done, value } = steps.next();
        if (done) return value;
        yield;
      }
    } finally {
      reading.close();
    }
  }
}

/** Several that are asked as one, by what they are called. */
export function together<View>(asked: ReadonlyMap<string, Asked<View>>): Asked<ReadonlyMap<string, View>> {
  return {
    open() {
      const readings = [...asked].map(([name, one]) => [name, one.open()] as const);
      return {
        view: new Map(readings.map(([name, { view }]) => [name, view])),
        get isOutdated() {
          return readings.some(([, { isOutdated }]) => isOutdated);
        },
        close() {
          for (const [, reading] of readings) reading.close();
        },
      };
    },
  };
}

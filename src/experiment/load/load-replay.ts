import type { SlotsForecast } from '../../domain/forecast.ts';
import type { JobRecord } from '../../domain/job.ts';
import { SLOT_SECONDS, slotOf } from '../../predict/load/slots.ts';
import { submissionOf } from '../../predict/past/reveal.ts';
import type { SlotsPredictor } from '../../predict/site-quantity.ts';
import type { LoadSplit } from './load-split.ts';

/** A question at the beginning of a slot, counted from the log's first, and the answer. */
export interface LoadAnswer {
  readonly slot: number;
  readonly forecast: SlotsForecast;
}

export interface LoadQuestion {
  readonly slots: number;
  readonly slotSeconds: number;
  /** It is asked at every so many slots. */
  readonly everySlots: number;
}

/**
 * Tells a predictor a log's submissions and asks it at the beginning of the slots that are scored, before it is told
 * what comes in them.
 * @param records at least one, in the order of submission
 */
export function* replayLoad(
  predictor: SlotsPredictor,
  records: readonly JobRecord[],
  { trainingSlots, untilSlot }: LoadSplit,
  questions: readonly LoadQuestion[],
): Generator<LoadAnswer & { readonly told: number; readonly question: LoadQuestion }> {
  const firstSlot = slotOf((records[0] as JobRecord).submitAt);
  let told = 0;
  for (let slot = trainingSlots; slot < untilSlot; slot++) {
    const at = (firstSlot + slot) * SLOT_SECONDS;
    while (told < records.length && (records[told] as JobRecord).submitAt < at) {
      predictor.submitted?.(submissionOf(records[told++] as JobRecord));
    }
    for (const question of questions) {
      if (slot % question.everySlots !== 0) continue;
      yield { slot, told, question, forecast: predictor.predict(question, null, at) };
    }
  }
}

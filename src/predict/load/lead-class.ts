/** How far ahead a slot lies, by doublings: 0 for the next one, 1 for the one after, then 2-3, 4-7, ... slots more. */
export function leadClassOf(lead: number): number {
  return lead <= 0 ? 0 : Math.min(LEAD_CLASSES - 1, Math.floor(Math.log2(lead)) + 1);
}

/** The lead in slots that stands for a class when a predictor looks at its own forecasts: its middle. */
export function leadOfClass(leadClass: number): number {
  return leadClass === 0 ? 0 : Math.floor(1.5 * 2 ** (leadClass - 1));
}

/** Enough for a week of slots. */
export const LEAD_CLASSES = 12;

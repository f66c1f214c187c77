/** A moment of the API to the second, in UTC, as every option that takes a moment reads it: `2026-11-20T14:00:00Z`. */
export function formatMoment(moment: string): string {
  return `${new Date(moment).toISOString().slice(0, 19)}Z`;
}

/** Processor-seconds as processor-hours with one decimal. */
export function formatProcessorHours(processorSeconds: number): string {
  return `${(processorSeconds / 3600).toFixed(1)} processor-h`;
}

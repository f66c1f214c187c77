/** What is in the fields, as it was typed. */
export interface ReserveForm {
  readonly name: string;
  readonly script: string;
  readonly processors: string;
  readonly walltime: string;
  /** As the field of a local moment holds it: 2026-11-23T14:00. */
  readonly startAt: string;
  readonly probability: string;
  readonly siteId: string;
}

/** What the fields say, understood. */
export interface ReserveTerms {
  readonly name: string;
  readonly script: string;
  readonly processors: number;
  readonly walltimeSeconds: number;
  readonly startAt: string;
  readonly probability: number;
  readonly siteIds: string[] | null;
}

/** What is wrong with which field. */
export type Faults = Partial<Record<keyof ReserveForm, string>>;

const SECONDS: Readonly<Record<string, number>> = { s: 1, m: 60, min: 60, h: 3600, d: 86_400 };

/** Seconds of a text such as 90m, 1h30m, 2 d or 1:30:00; null for what is none. */
export function readDuration(text: string): number | null {
  const clock = /^(\d{1,4}):([0-5]\d)(?::([0-5]\d))?$/.exec(text.trim());
  if (clock) return Number(clock[1]) * 3600 + Number(clock[2]) * 60 + Number(clock[3] ?? 0);
  const parts = [...text.trim().matchAll(/(\d+(?:\.\d+)?)\s*(min|[smhd])\s*/gy)];
  if (parts.length === 0 || parts.map(([part]) => part).join('') !== text.trim()) return null;
  return Math.round(parts.reduce((sum, [, count, unit = 's']) => sum + Number(count) * (SECONDS[unit] ?? 0), 0));
}

/**
 * Reads the fields; what is wrong with them where they say nothing.
 * @param nowMilliseconds on the service's clock, since the epoch
 */
export function readForm(
  form: ReserveForm,
  nowMilliseconds: number,
): { readonly terms: ReserveTerms | null; readonly faults: Faults } {
  const processors = Number(form.processors);
  const walltimeSeconds = readDuration(form.walltime);
  const startAt = new Date(form.startAt);
  const probability = Number(form.probability);
  const faults: Faults = {
    ...(form.name.trim() === '' && { name: 'Give it a name.' }),
    ...(form.script.trim() === '' && { script: 'Say what it is to run.' }),
    ...(!(Number.isInteger(processors) && processors > 0) && { processors: 'A whole number from 1 on.' }),
    ...(!walltimeSeconds && { walltime: 'Write for example 90m, 1h30m or 1:30:00.' }),
    ...(Number.isNaN(startAt.getTime()) && { startAt: 'Choose a day and a time.' }),
    ...(startAt.getTime() <= nowMilliseconds && { startAt: 'That has passed; choose a later time.' }),
    ...(!(probability > 0 && probability < 1) && { probability: 'Between 0 and 1, both excluded.' }),
  };
  if (Object.keys(faults).length > 0 || walltimeSeconds === null) return { terms: null, faults };
  const siteIds = form.siteId === '' ? null : [form.siteId];
  const { name, script } = form;
  return {
    terms: { name, script, processors, walltimeSeconds, startAt: startAt.toISOString(), probability, siteIds },
    faults,
  };
}

/** A moment as the field of a local moment holds it. */
export function toLocalField(milliseconds: number): string {
  const local = new Date(milliseconds - new Date(milliseconds).getTimezoneOffset() * 60_000);
  return local.toISOString().slice(0, 16);
}

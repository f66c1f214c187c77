/** What is in the fields, as it was typed. */
export interface ReserveForm {
  readonly name: string;
  readonly script: string;
  readonly processors: string;
  readonly walltime: string;
  /** As the field of a local moment holds it: 2026-11-23T14:00. */
  readonly startAt: string;
  /** Whether the second is meant of a local moment that comes twice, as clocks are set back. */
  readonly isSecondStart: boolean;
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
  const moments = momentsOf(form.startAt);
  const startAt = moments[form.isSecondStart ? 1 : 0] ?? moments[0] ?? Number.NaN;
  const probability = Number(form.probability);
  const faults: Faults = {
    ...(form.name.trim() === '' && { name: 'Give it a name.' }),
    ...(form.script.trim() === '' && { script: 'Say what it is to run.' }),
    ...(!(Number.isInteger(processors) && processors > 0) && { processors: 'A whole number from 1 on.' }),
    ...(!walltimeSeconds && { walltime: 'Write for example 90m, 1h30m or 1:30:00.' }),
    ...(moments.length === 0 && { startAt: whyNoMoment(form.startAt) }),
    ...(startAt <= nowMilliseconds && { startAt: 'That has passed; choose a later time.' }),
    ...(!(probability > 0 && probability < 1) && { probability: 'Between 0 and 1, both excluded.' }),
  };
  if (Object.keys(faults).length > 0 || walltimeSeconds === null) return { terms: null, faults };
  const siteIds = form.siteId === '' ? null : [form.siteId];
  const { name, script } = form;
  const asked = { name, script, processors, walltimeSeconds, probability, siteIds };
  return { terms: { ...asked, startAt: new Date(startAt).toISOString() }, faults };
}

/** A moment, in milliseconds since the epoch, as the fields of a start hold it. */
export function startFields(at: number): Pick<ReserveForm, 'startAt' | 'isSecondStart'> {
  const startAt = toLocalField(at);
  return { startAt, isSecondStart: momentsOf(startAt)[1] === at };
}

/**
 * The moments that a local one stands for, in milliseconds since the epoch: none for what is no moment, or is left out
 * as clocks are set forward; two where they are set back.
 */
export function momentsOf(local: string): number[] {
  const asUtc = Date.parse(`${local}Z`);
  if (Number.isNaN(asUtc)) return [];
  const found = [asUtc - DAY_MILLISECONDS, asUtc + DAY_MILLISECONDS].map((near) => asUtc + utcDistance(near));
  return [...new Set(found)].filter((at) => toLocalField(at) === local.slice(0, 16)).sort((one, other) => one - other);
}

function whyNoMoment(local: string): string {
  return Number.isNaN(Date.parse(`${local}Z`))
    ? 'Choose a day and a time.'
    : 'There is no such time: clocks are set forward then.';
}

function toLocalField(at: number): string {
  return new Date(at - utcDistance(at)).toISOString().slice(0, 16);
}

/** By how many milliseconds UTC is ahead of the viewer's zone at a moment. */
function utcDistance(at: number): number {
  return new Date(at).getTimezoneOffset() * 60_000;
}

const DAY_MILLISECONDS = 86_400_000;

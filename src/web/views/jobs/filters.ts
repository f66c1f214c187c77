/** What the table of jobs shows; it is in the address, so that it can be kept and sent on. */
export interface JobFilters {
  readonly states?: JobState[];
  readonly siteId?: string;
  /** A label as it is shown: `name=value`. */
  readonly label?: string;
  readonly text?: string;
  readonly reserved?: boolean;
}

export type JobState = (typeof JOB_STATES)[number];

/** In the order of a job's life. */
export const JOB_STATES = ['REQUESTED', 'HELD', 'SUBMITTING', 'QUEUED', 'RUNNING', 'ENDED'] as const;

const LONGEST_TEXT = 200;

/** Reads filters out of an address, leaving out what is none. */
export function readJobFilters(search: Record<string, unknown>): JobFilters {
  const given: unknown[] = [search.states].flat();
  const states = JOB_STATES.filter((state) => given.includes(state));
  const { siteId, label, reserved } = search;
  // What looks like a number or a truth in an address is read as one.
  const text = ['number', 'boolean'].includes(typeof search.text) ? String(search.text) : search.text;
  return {
    ...(states.length > 0 && { states }),
    ...(typeof siteId === 'string' && siteId !== '' && { siteId }),
    ...(typeof label === 'string' && readLabel(label) !== null && { label }),
    ...(typeof text === 'string' && text !== '' && { text: text.slice(0, LONGEST_TEXT) }),
    ...(reserved === true && { reserved }),
  };
}

/** A word by which jobs are found. */
export interface Label {
  readonly name: string;
  readonly value: string;
}

/** The label that a text `name=value` is; null where it is none. */
export function readLabel(text: string): Label | null {
  const [, name, value] = /^([A-Za-z0-9][A-Za-z0-9._/-]{0,62})=(.{0,200})$/u.exec(text.trim()) ?? [];
  return name === undefined || value === undefined ? null : { name, value };
}

/** A label as it is shown. */
export function labelText({ name, value }: Label): string {
  return `${name}=${value}`;
}

/** The filters as the service takes them to cancel by; null where they name no condition, or one that it lacks. */
export function conditionsOf({ states, siteId, label, text }: JobFilters): JobConditions | null {
  const labels = label === undefined ? null : readLabel(label);
  const conditions = { ...(states && { states }), ...(siteId && { siteId }), ...(labels && { labels: [labels] }) };
  return text === undefined && Object.keys(conditions).length > 0 ? conditions : null;
}

/** Conditions that the service knows. */
export interface JobConditions {
  readonly states?: JobState[];
  readonly siteId?: string;
  readonly labels?: Label[];
}

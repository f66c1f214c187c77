/** What the table of jobs shows; it is in the address, so that it can be kept and sent on. */
export interface JobFilters {
  readonly states?: JobState[];
  readonly siteId?: string;
  readonly text?: string;
  readonly reserved?: boolean;
}

export type JobState = (typeof JOB_STATES)[number];

/** In the order of a job's life. */
export const JOB_STATES = ['REQUESTED', 'HELD', 'SUBMITTING', 'QUEUED', 'RUNNING', 'ENDED'] as const;

const LONGEST_TEXT = 200;

/** Reads filters out of an address, leaving out what is none. */
export function readJobFilters(search: Record<string, unknown>): JobFilters {
  const given = Array.isArray(search.states) ? search.states : [];
  const states = JOB_STATES.filter((state) => given.includes(state));
  const { siteId, text, reserved } = search;
  return {
    ...(states.length > 0 && { states }),
    ...(typeof siteId === 'string' && siteId !== '' && { siteId }),
    ...(typeof text === 'string' && text !== '' && { text: text.slice(0, LONGEST_TEXT) }),
    ...(reserved === true && { reserved }),
  };
}

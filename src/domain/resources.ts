/** A licence of the site and how many of it a job needs. */
export interface LicenceRequest {
  readonly name: string;
  readonly count: number;
}

/** What a job needs beside processors and time. What is absent is left to the site. */
export interface JobResources {
  /** Over how many nodes it is spread; absent means as few as hold it. */
  readonly nodes?: number;
  /** Processes that its own launcher starts; absent means one. */
  readonly tasks?: number;
  readonly tasksPerNode?: number;
  readonly processorsPerTask?: number;
  /** At most one of the two kinds of memory is given. */
  readonly memoryPerNodeMebibytes?: number;
  readonly memoryPerProcessorMebibytes?: number;
  /** In all, over all of its nodes. */
  readonly gpus?: number;
  /** As the site names it; needs `gpus`. */
  readonly gpuKind?: string;
  /** Features that each of its nodes must have. */
  readonly constraints?: readonly string[];
  /** No other job on its nodes. */
  readonly exclusive?: boolean;
  readonly licences?: readonly LicenceRequest[];
  /** Local disk space on each node. */
  readonly tmpPerNodeMebibytes?: number;
}

/** The two kinds of memory that a job can ask for. */
export const MEMORY_REQUESTS = ['memoryPerNodeMebibytes', 'memoryPerProcessorMebibytes'] as const;

/** Who pays for a job and by which of the site's arrangements it runs. What is absent is the site's default. */
export interface SiteTerms {
  readonly account?: string;
  readonly qos?: string;
  /** A reservation that the site's own administrators have made. */
  readonly siteReservation?: string;
}

/** The names of these terms. */
export const SITE_TERMS = ['account', 'qos', 'siteReservation'] as const satisfies readonly (keyof SiteTerms)[];

/** Of what a site writes mails: the start of a job, its end, an end that is none of its own. */
export const MAIL_EVENTS = ['BEGIN', 'END', 'FAIL'] as const;

/** When a site writes mails of a job, and to whom. */
export interface MailRequest {
  readonly address: string;
  readonly events: readonly (typeof MAIL_EVENTS)[number][];
}

/** Everything that a job itself can ask of a site by name beside processors, walltime and queue. */
export const REQUEST_NAMES = [
  'nodes',
  'tasks',
  'tasksPerNode',
  'processorsPerTask',
  'memoryPerNodeMebibytes',
  'memoryPerProcessorMebibytes',
  'gpus',
  'gpuKind',
  'constraints',
  'exclusive',
  'licences',
  'tmpPerNodeMebibytes',
  'account',
  'qos',
  'siteReservation',
  'environment',
  'workFolder',
  'mail',
] as const;

/** The same with what is done for it before and after. */
export const SITE_REQUEST_NAMES = [...REQUEST_NAMES, 'staging'] as const;
export type RequestName = (typeof SITE_REQUEST_NAMES)[number];

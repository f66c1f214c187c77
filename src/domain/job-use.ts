/** What a job used from its start to its end, all its processes together; null where its site does not tell it. */
export interface JobUse {
  readonly cpuSeconds: number | null;
  /** The most that it held at once. */
  readonly memoryBytes: number | null;
  /** From file systems. */
  readonly readBytes: number | null;
  /** To file systems. */
  readonly writtenBytes: number | null;
}

/** Of what a job used, that which is forecast of jobs. */
export type IoBytes = 'readBytes' | 'writtenBytes';

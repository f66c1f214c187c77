/** What the jobs of a site will read and write. */
export interface IoForecastAnswer {
  readonly ageSeconds: number;
  readonly burstBytesPerSecond: number;
  readonly jobs: number;
  readonly slots: readonly {
    readonly startsAt: string;
    readonly readBytesPerSecond: number;
    readonly writtenBytesPerSecond: number;
    readonly isBurst: boolean;
  }[];
}

import type { Db } from '../store/database.ts';
import { type RevisedRecord, readRecordsAfter, readRecordsEpoch } from '../store/records.ts';
import { OwnPrograms } from './own-programs.ts';

/** Gives records with something more of them. */
export type TellRecords = (records: RevisedRecord[]) => Promise<RevisedRecord[]>;

/** The records of sites as their predictors are told them: those of our own jobs with what they run. */
export class ToldRecords {
  private readonly ownPrograms = new Map<string, OwnPrograms>();

  /** @param embedded tells where their texts lie; as they are unless told */
  constructor(
    private readonly db: Db,
    private readonly embedded: TellRecords = async (records) => records,
  ) {}

  /** As `readRecordsEpoch`. */
  epochOf(siteId: string): Promise<number> {
    return readRecordsEpoch(this.db, siteId);
  }

  /** Those that changed after a revision, in the order of their changes, at most `BATCH_RECORDS` at a time. */
  async *after(siteId: string, revision: number): AsyncGenerator<RevisedRecord[]> {
    const programs = this.programsOf(siteId);
    for (let from = revision; ; ) {
      const records = await readRecordsAfter(this.db, siteId, from, BATCH_RECORDS);
      if (records.length > 0) yield await this.embedded(await programs.tell(records));
      if (records.length < BATCH_RECORDS) return;
      from = (records.at(-1) as RevisedRecord).revision;
    }
  }

  /** All that are no newer than a revision. */
  async upTo(siteId: string, revision: number): Promise<RevisedRecord[]> {
    const all: RevisedRecord[] = [];
    for await (const records of this.after(siteId, 0)) {
      for (const record of records) if (record.revision <= revision) all.push(record);
    }
    return all;
  }

  private programsOf(siteId: string): OwnPrograms {
    const known = this.ownPrograms.get(siteId) ?? new OwnPrograms(this.db, siteId);
    this.ownPrograms.set(siteId, known);
    return known;
  }
}

export const BATCH_RECORDS = 5000;

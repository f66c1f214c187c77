import { Ctx, Field, FieldResolver, Float, Int, ObjectType, Resolver, Root } from 'type-graphql';
import {
  describeStageFault,
  STAGE_DIRECTIONS,
  STAGE_FAULTS,
  STAGED_FILE_STATES,
  type StageDirection,
  type StagedFileState,
  type StageFault,
  stageFaultSentence,
} from '../../domain/staging.ts';
import type { FileOfJob } from '../../store/stagings.ts';
import type { ApiContext } from '../context.ts';
import { defineEnum } from '../shared/define-enum.ts';
import { toMoment } from '../shared/moments.ts';
import { DateTime } from '../shared/scalars.ts';
import { Job } from './job.type.ts';

const StageDirectionEnum = defineEnum('StageDirection', STAGE_DIRECTIONS, 'Which way a file is moved.', {
  IN: "To the job's folder, before the job is handed in.",
  OUT: 'Out of it, after the end of the job.',
});

const StagedFileStateEnum = defineEnum('StagedFileState', STAGED_FILE_STATES, 'How far a file is.', {
  WAITING: 'Its turn has not come.',
  MOVING: 'Some of it is there; a break is gone on from.',
  MOVED: 'All of it is there, and its SHA-256 was compared.',
  FAILED: 'It cannot be moved.',
  SKIPPED: 'It is not wanted any more: its job was cancelled, went elsewhere, or never ran.',
});

const StageFaultEnum = defineEnum(
  'StageFault',
  STAGE_FAULTS,
  'Why a file could not be moved.',
  Object.fromEntries(STAGE_FAULTS.map((fault) => [fault, stageFaultSentence(fault)])),
);

@ObjectType({ description: 'A file that is moved for a job.' })
export class StagedFile {
  constructor(private readonly file: FileOfJob) {}

  @Field(() => String, { description: "Below the job's folder." })
  get path(): string {
    return this.file.path;
  }

  @Field(() => StageDirectionEnum, { description: 'Which way it goes.' })
  get direction(): StageDirection {
    return this.file.direction;
  }

  @Field(() => StagedFileStateEnum, { description: 'How far it is.' })
  get state(): StagedFileState {
    return this.file.state;
  }

  @Field(() => Float, { nullable: true, description: 'Its size; null until that is known.' })
  get bytes(): number | null {
    return this.file.bytes;
  }

  @Field(() => Float, { description: 'How much of it is there, on record: it is gone on from there after a break.' })
  get movedBytes(): number {
    return this.file.movedBytes;
  }

  @Field(() => String, { nullable: true, description: 'SHA-256 of all of it, once it was moved.' })
  get sha256(): string | null {
    return this.file.sha256;
  }

  @Field(() => StageFaultEnum, {
    nullable: true,
    description: 'Why it could not be moved, or what went wrong last where it is tried again.',
  })
  get fault(): StageFault | null {
    return this.file.finding?.fault ?? null;
  }

  @Field(() => Int, {
    nullable: true,
    description: 'Status with which the server of its address answered then; null where it did not answer.',
  })
  get httpStatus(): number | null {
    return this.file.finding?.httpStatus ?? null;
  }

  @Field(() => String, { nullable: true, description: 'The same in a sentence.' })
  get reason(): string | null {
    const { finding, direction } = this.file;
    return finding && describeStageFault(finding, direction);
  }
}

/** The files that are moved for jobs. */
@Resolver(() => Job)
export class StagedFilesResolver {
  @FieldResolver(() => [StagedFile], {
    complexity: 10,
    description: 'Files that are moved for it, those that go in first, by its newest try at a site.',
  })
  async stagedFiles(@Root() { row }: Job, @Ctx() { loaders }: ApiContext): Promise<StagedFile[]> {
    if (row.staging === null) return [];
    return (await loaders.stagedOf.load(row)).files.map((file) => new StagedFile(file));
  }

  @FieldResolver(() => String, {
    nullable: true,
    description:
      'Folder of its own at its site, in which it starts because files are staged for it; null until it was made.',
  })
  async stagingFolder(@Root() { row }: Job, @Ctx() { loaders }: ApiContext): Promise<string | null> {
    return row.staging === null ? null : (await loaders.stagedOf.load(row)).folder;
  }

  @FieldResolver(() => DateTime, {
    nullable: true,
    description:
      'Until when its folder stays after its end, unless it makes room for newer ones; null where it is not kept, or no more.',
  })
  async stagingFolderKeptUntil(@Root() { row }: Job, @Ctx() { loaders }: ApiContext): Promise<Date | null> {
    return row.staging === null ? null : toMoment((await loaders.stagedOf.load(row)).keptUntil);
  }
}

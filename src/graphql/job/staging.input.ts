import { Field, Float, InputType } from 'type-graphql';
import {
  FOLDER_ENDS,
  type FolderEnd,
  MOST_STAGED_FILES,
  type StageIn,
  type StageRequest,
} from '../../domain/staging.ts';
import { defineEnum } from '../shared/define-enum.ts';

export const FolderEndEnum = defineEnum('FolderEnd', FOLDER_ENDS, "What becomes of a job's folder.", {
  REMOVE: 'It is removed once the job is over and its outputs are out. It stays when one of them could not be moved.',
  KEEP: 'It stays.',
});

@InputType({ description: "A file that is to be in the job's folder before the job is handed to its site." })
export class StageInInput {
  @Field(() => String, {
    description: 'URL of http or https, or a path from / on at the site where its configuration allows that.',
  })
  from!: string;

  @Field(() => String, { description: "Path below the job's folder." })
  to!: string;

  @Field(() => Float, { nullable: true, description: 'Size that it must have; any when absent.' })
  bytes?: number | null;

  @Field(() => String, { nullable: true, description: 'SHA-256 that it must have, in hexadecimal digits.' })
  sha256?: string | null;
}

@InputType({ description: "A file of the job's folder that is moved out after the end of the job." })
export class StageOutInput {
  @Field(() => String, { description: "Path below the job's folder." })
  from!: string;

  @Field(() => String, { description: 'URL of http or https to which it is PUT.' })
  to!: string;
}

/** What is said of the fields. */
export const STAGING = {
  in: `Files that are moved into a folder of the job's own at its site, in which it then starts; ${MOST_STAGED_FILES} at most with those of stageOut. The job is handed in when all are there; when one cannot be moved it ends as STAGING_FAILED.`,
  out: "Files of the job's folder that are moved out when it has ended, however it ended.",
  folder: "What becomes of the job's folder, where it has one because files are staged.",
} as const;

/** What is moved in the words of the commands; nothing of nothing. */
export function toStaging({
  stageIn,
  stageOut,
  keepWorkFolder: folder,
}: {
  stageIn?: readonly StageInInput[] | null;
  stageOut?: readonly StageOutInput[] | null;
  keepWorkFolder: FolderEnd;
}): { readonly staging?: StageRequest } {
  if (!stageIn?.length && !stageOut?.length) return {};
  return {
    staging: {
      in: (stageIn ?? []).map(toStageIn),
      out: (stageOut ?? []).map(({ from, to }) => ({ from, to })),
      folder,
    },
  };
}

function toStageIn({ from, to, bytes, sha256 }: StageInInput): StageIn {
  return {
    from,
    to,
    ...(typeof bytes === 'number' && { bytes }),
    ...(typeof sha256 === 'string' && { sha256: sha256.toLowerCase() }),
  };
}

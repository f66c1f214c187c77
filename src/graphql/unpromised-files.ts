const PROMISED = 'ReserveInput|LegInput|CoAllocateInput';
const UNKNOWN = new RegExp(`Field "(stageIn|stageOut|keepWorkFolder)" is not defined by type "(?:${PROMISED})"`);
const PLACE = /^Variable "\$(\w+)" got invalid value .* at "\1((?:\.\w+|\[\d+\])+)"/s;

/** What is wrong with files that are to be moved for a promised job, and at which field. */
export interface UnpromisedFiles {
  readonly field: string;
  readonly message: string;
}

/**
 * Files are moved for no job that is promised, and its input has no such fields. This tells it, and what to do, in
 * place of GraphQL's own sentence, which repeats the addresses with what is secret in them; null for other errors.
 */
export function explainUnpromisedFiles(message: string): UnpromisedFiles | null {
  const [, name] = UNKNOWN.exec(message) ?? [];
  if (name === undefined) return null;
  const field = `input${PLACE.exec(message)?.[2] ?? ''}.${name}`;
  const remedy = `have the files at the site before the promise is asked for, in its workFolder, and leave ${name} out`;
  return { field, message: `${field}: no files are moved for a job that is promised; ${remedy}` };
}

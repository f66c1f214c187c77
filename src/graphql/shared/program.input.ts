import { Field, InputType } from 'type-graphql';
import { type ProgramInput } from '../../commands/input/work-input.ts';

/** What is said of the text of a job whose forecast alone is asked for. */
export const PROGRAM = {
  name: 'Its name as submitJob would be told it, for predictors that tell jobs apart by it.',
  script: 'Whole text of its script, as submitJob would be told it. It is not kept.',
  arguments: 'Arguments of the script.',
};

@InputType()
export abstract class ProgramFields {
  @Field(() => String, { nullable: true, description: PROGRAM.name })
  name?: string | null;

  @Field(() => String, { nullable: true, description: PROGRAM.script })
  script?: string | null;

  @Field(() => [String], { nullable: true, description: PROGRAM.arguments })
  arguments?: string[] | null;
}

/** The same in the words of the commands. */
export function toProgramInput({ name, script, arguments: args }: ProgramFields): ProgramInput {
  return { name: name ?? null, script: script ?? null, arguments: args ?? null };
}

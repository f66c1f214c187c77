import { Field, Int, ObjectType } from 'type-graphql';
import type { DirectiveSystem } from '../../domain/directives/directive.ts';
import { type JudgedDirective, judgeDirectives } from '../../domain/directives/judge-directives.ts';
import { DirectiveSystemEnum } from '../shared/directive-enums.ts';
import { type DirectedFields, toTypedRequest, withDirectives } from '../shared/directives.input.ts';

@ObjectType({ description: 'An option on a line of a script that is meant for a batch system.' })
export class ScriptDirective {
  constructor(private readonly directive: JudgedDirective) {}

  @Field(() => Int, { description: 'Line of the script, from 1 on.' })
  get line(): number {
    return this.directive.line;
  }

  @Field(() => DirectiveSystemEnum, { description: 'The system.' })
  get system(): DirectiveSystem {
    return this.directive.system;
  }

  @Field(() => String, { description: 'The option as it stands there, cut where it is long.' })
  get text(): string {
    return this.directive.text;
  }

  @Field(() => String, { description: 'What it means, in a few words; empty where that is not known.' })
  get meaning(): string {
    return this.directive.meaning;
  }

  @Field(() => String, {
    nullable: true,
    description: 'Path of the input field that means the same, `resources.nodes` for instance; null where none does.',
  })
  get request(): string | null {
    return this.directive.request;
  }

  @Field(() => String, { nullable: true, description: 'What that field is to say for it.' })
  get value(): string | null {
    return this.directive.value;
  }

  @Field(() => Boolean, { description: 'Whether the job asks for it.' })
  get honoured(): boolean {
    return this.directive.isHonoured;
  }

  @Field(() => String, {
    nullable: true,
    description: 'Why the job does not ask for it, and the remedy; null if it does.',
  })
  get warning(): string | null {
    return this.directive.warning;
  }
}

/** What the directive lines of an input's script say. */
export function directivesOf(input: DirectedFields): ScriptDirective[] {
  return judgedOf(input).map((directive) => new ScriptDirective(directive));
}

/**
 * Everything that scripts ask for by directives and their jobs do not, for people to read; what several have in common
 * is said once.
 */
export function warningsOf(inputs: readonly DirectedFields[]): string[] {
  const warnings = inputs
    .flatMap((input) => judgedOf(input))
    .flatMap(({ line, text, meaning, warning }) => {
      const what = meaning === '' ? text : `${text}, ${meaning}`;
      return warning === null ? [] : [`line ${line} of the script (${what}): ${warning}`];
    });
  return [...new Set(warnings)];
}

function judgedOf(input: DirectedFields): readonly JudgedDirective[] {
  return judgeDirectives(input.script ?? '', toTypedRequest(withDirectives(input, 'input')));
}

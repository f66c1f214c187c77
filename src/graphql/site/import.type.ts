import { Field, Int, ObjectType } from 'type-graphql';
import type { ImportRow } from '../../store/imports.ts';
import { toMoment } from '../shared/moments.ts';
import { Node } from '../shared/node.type.ts';
import { DateTime } from '../shared/scalars.ts';

@ObjectType({ implements: Node, description: "A log that was taken into a site's history." })
export class Import extends Node {
  readonly nodeType = 'Import';

  constructor(readonly row: ImportRow) {
    super(row.id);
  }

  @Field(() => DateTime, { description: 'When it was taken in.' })
  get importedAt(): Date {
    return toMoment(this.row.importedAt);
  }

  @Field(() => String, { description: 'Who did it.' })
  get importedBy(): string {
    return this.row.principal.name;
  }

  @Field(() => Int, { description: 'Jobs that were new.' })
  get imported(): number {
    return this.row.imported;
  }

  @Field(() => Int, { description: 'Known jobs that the log knew more about; undoing leaves that.' })
  get changed(): number {
    return this.row.changed;
  }

  @Field(() => Int, { description: 'Jobs that brought nothing new or had no size.' })
  get skipped(): number {
    return this.row.skipped;
  }

  @Field(() => DateTime, { nullable: true, description: 'When it was undone; null while it counts.' })
  get undoneAt(): Date | null {
    return toMoment(this.row.undoneAt);
  }

  @Field(() => Int, {
    nullable: true,
    description: 'Records that went with that: those that nobody else had told of by then.',
  })
  get removed(): number | null {
    return this.row.removed;
  }
}

@ObjectType({ description: 'Something that was left out of a log or changed on the way.' })
export class ImportRemark {
  @Field(() => String, { description: 'What and why.' })
  reason!: string;

  @Field(() => Int, { description: 'How often, or how many processors where that is what it says.' })
  count!: number;
}

import { ArgsType, type ClassType, Field, Int, ObjectType } from 'type-graphql';
import { CallerError } from '../../domain/failures.ts';
import type { Cursor, Page, PageRequest } from '../../store/pages.ts';
import { UUID } from './global-id.ts';

export const DEFAULT_PAGE_SIZE = 20;
export const MAX_PAGE_SIZE = 100;

@ArgsType()
export class PageArgs {
  @Field(() => Int, {
    defaultValue: DEFAULT_PAGE_SIZE,
    description: `How many to return, at most ${MAX_PAGE_SIZE}; newest first.`,
  })
  first!: number;

  @Field(() => String, { nullable: true, description: 'Cursor of the last one already seen.' })
  after?: string | null;
}

@ObjectType({ description: 'Where a page ends.' })
export class PageInfo {
  @Field(() => Boolean, { description: 'Whether more follow.' })
  hasNextPage!: boolean;

  @Field(() => Boolean, { description: 'Whether this page was asked for with a cursor.' })
  hasPreviousPage!: boolean;

  @Field(() => String, { nullable: true, description: 'Cursor of the first one on this page.' })
  startCursor!: string | null;

  @Field(() => String, { nullable: true, description: 'Cursor to ask for the next page with.' })
  endCursor!: string | null;
}

/** One page as its GraphQL type shows it. */
export interface Connection<NodeClass> {
  readonly edges: readonly { readonly cursor: string; readonly node: NodeClass }[];
  readonly pageInfo: PageInfo;
  readonly totalCount: number;
}

/** Makes the connection type of a node type, called `<name>Connection`. */
export function connectionType<NodeClass extends object>(
  name: string,
  nodeClass: ClassType<NodeClass>,
): ClassType<Connection<NodeClass>> {
  @ObjectType(`${name}Edge`, { description: `A ${name} and its place in the list.` })
  class EdgeType {
    @Field(() => String, { description: 'Its place, for `after`.' })
    cursor!: string;

    @Field(() => nodeClass, { description: 'The thing itself.' })
    node!: NodeClass;
  }

  @ObjectType(`${name}Connection`, { description: `A page of a list of ${name}s.` })
  class ConnectionType {
    @Field(() => [EdgeType], { description: 'What is on the page, newest first.' })
    edges!: EdgeType[];

    @Field(() => PageInfo, { description: 'Where the page ends.' })
    pageInfo!: PageInfo;

    @Field(() => Int, { description: 'How many there are on all pages together.' })
    totalCount!: number;
  }
  return ConnectionType;
}

/**
 * The page asked for.
 * @throws CallerError INVALID for a page size or cursor that cannot be
 */
export function toPageRequest({ first, after }: PageArgs): PageRequest {
  if (first < 1 || first > MAX_PAGE_SIZE) {
    throw new CallerError('INVALID', 'first', `first must lie between 1 and ${MAX_PAGE_SIZE}, got ${first}`);
  }
  return { first, after: after === null || after === undefined ? null : decodeCursor(after) };
}

/** Shows a page of rows as a connection. */
export function toConnection<Row extends Cursor, NodeClass>(
  page: Page<Row>,
  { after }: PageRequest,
  toNode: (row: Row) => NodeClass,
): Connection<NodeClass> {
  const edges = page.rows.map((row) => ({ cursor: encodeCursor(row), node: toNode(row) }));
  return {
    edges,
    totalCount: page.totalCount,
    pageInfo: {
      hasNextPage: page.hasNextPage,
      hasPreviousPage: after !== null,
      startCursor: edges[0]?.cursor ?? null,
      endCursor: edges.at(-1)?.cursor ?? null,
    },
  };
}

/** What a list costs: each of its items as often as it may be there. */
export function pageComplexity({ args, childComplexity }: { args: unknown; childComplexity: number }): number {
  const { first = DEFAULT_PAGE_SIZE } = args as { first?: number };
  return 1 + Math.max(1, Math.min(first, MAX_PAGE_SIZE)) * childComplexity;
}

function encodeCursor({ createdAt, id }: Cursor): string {
  return Buffer.from(`${createdAt}:${id}`).toString('base64url');
}

function decodeCursor(text: string): Cursor {
  const [, createdAt, id] = /^(\d+(?:\.\d+)?):(.{36})$/.exec(Buffer.from(text, 'base64url').toString()) ?? [];
  if (createdAt === undefined || id === undefined || !UUID.test(id) || Number(createdAt) > LATEST_CURSOR) {
    const message = 'after is no cursor of this list; pass the endCursor of the page before';
    throw new CallerError('INVALID', 'after', message);
  }
  return { createdAt: Number(createdAt), id };
}

/** The last second that a moment can name as ISO 8601, and long before what the database can hold. */
const LATEST_CURSOR = 253_402_300_799;

import {
  type DocumentNode,
  GraphQLError,
  type GraphQLInputType,
  type GraphQLSchema,
  getNullableType,
  isInputObjectType,
  isListType,
  Kind,
  type OperationDefinitionNode,
  TypeInfo,
  type ValueNode,
  valueFromASTUntyped,
  visit,
  visitWithTypeInfo,
} from 'graphql';
import { fieldName } from '../../domain/field-name.ts';
import { Json } from '../shared/scalars.ts';
import { DEEPEST_INPUT, type InputBound, type InputBounds } from './input-bounds.ts';

type Values = Readonly<Record<string, unknown>>;

/** Where a value sits in the caller's input, and how deep. */
interface Place {
  /** Null for an argument. */
  readonly above: Place | null;
  /** What it is called where it sits, or its number in a list; null for what the message tells no place of. */
  readonly step: string | number | null;
  readonly depth: number;
  readonly bound: InputBound;
}

/**
 * Refuses a query any of whose arguments is too long, by variables or by literals, before they are looked at any
 * further. A variable is judged once for what it stands for, and all arguments together hold `MOST_JUDGED` values at
 * most. It stops at the first fault. The query must be valid.
 * @throws GraphQLError with code INVALID that names the field, its size, and what is accepted
 */
export function assertBounded(
  schema: GraphQLSchema,
  document: DocumentNode,
  operation: OperationDefinitionNode,
  variables: Values,
  bounds: InputBounds,
): void {
  const given = { ...defaultsOf(operation), ...variables };
  const types = new TypeInfo(schema);
  const judge = new InputJudge(bounds);
  const seen = new Set<string>();
  visit(
    document,
    visitWithTypeInfo(types, {
      Argument({ name, value }) {
        const argument = types.getArgument();
        if (!argument) return;
        if (value.kind === Kind.VARIABLE) {
          const use = `${value.name.value} ${name.value} ${argument.type}`;
          if (seen.has(use)) return;
          seen.add(use);
        }
        const place = { above: null, step: name.value, depth: 0, bound: bounds(name.value) };
        judge.judge(argument.type, plainValue(value, given), place);
      },
    }),
  );
}

function defaultsOf({ variableDefinitions = [] }: OperationDefinitionNode): Values {
  const defaults = variableDefinitions.flatMap(({ variable, defaultValue }) =>
    defaultValue ? [[variable.name.value, valueFromASTUntyped(defaultValue)]] : [],
  );
  return Object.fromEntries(defaults);
}

function plainValue(node: ValueNode, variables: Values): unknown {
  return valueFromASTUntyped(node, variables as Record<string, unknown>);
}

/** Values of all arguments of an operation: a body holds half as many. */
const MOST_JUDGED = 200_000;

class InputJudge {
  private judged = 0;

  constructor(private readonly bounds: InputBounds) {}

  judge(asked: GraphQLInputType, value: unknown, place: Place): void {
    const type = getNullableType(asked);
    this.assertFew(place);
    assertNotTooDeep(place);
    if (isListType(type) && Array.isArray(value)) {
      assertItems(value, place);
      for (const [index, item] of value.entries()) {
        this.judge(type.ofType, item, below(place, index));
      }
    } else if (isInputObjectType(type) && isObject(value)) {
      for (const { name, type: fieldType } of Object.values(type.getFields())) {
        if (!Object.hasOwn(value, name)) continue;
        const bound = this.bounds(name);
        this.judge(fieldType, value[name], { ...below(place, name), bound });
      }
    } else this.judgeUntyped(value, place, type === Json ? place.bound.values : place.bound.items);
  }

  /** Judges what has no type that says more: JSON, a text, or something that is in the wrong place. */
  private judgeUntyped(value: unknown, place: Place, most: number): void {
    let count = 0;
    const look = (one: unknown, at: Place): void => {
      if (++count > most) throw tooMuch(place, 'more', `${most} values`);
      this.assertFew(place);
      assertNotTooDeep(at);
      if (typeof one === 'string') assertCharacters(one, at);
      else if (Array.isArray(one)) for (const item of one) look(item, below(at, null));
      else if (isObject(one)) {
        for (const [key, item] of Object.entries(one)) {
          assertCharacters(key, at);
          look(item, below(at, null));
        }
      }
    };
    look(value, place);
  }

  private assertFew(place: Place): void {
    if (++this.judged <= MOST_JUDGED) return;
    const message = `the arguments of all fields hold more than ${MOST_JUDGED} values together; send several requests`;
    throw invalid(message, pathOf(place));
  }
}

function assertCharacters(text: string, place: Place): void {
  const { characters } = place.bound;
  if (text.length > characters) throw tooMuch(place, `${text.length} characters`, `${characters} characters`);
}

function assertItems(list: readonly unknown[], place: Place): void {
  const { items } = place.bound;
  if (list.length > items) throw tooMuch(place, `${list.length} items`, `${items} items`);
}

function assertNotTooDeep(place: Place): void {
  if (place.depth > DEEPEST_INPUT) throw tooMuch(place, `${place.depth} levels`, `${DEEPEST_INPUT} levels`);
}

function tooMuch(place: Place, has: string, accepted: string): GraphQLError {
  const path = pathOf(place);
  const field = path.length > LONGEST_PATH ? `${path.slice(0, LONGEST_PATH)}...` : path;
  const message = `${fieldName(field)} has ${has}, at most ${accepted} are accepted; send less at once`;
  return invalid(message, field);
}

function invalid(message: string, field: string): GraphQLError {
  return new GraphQLError(message, { extensions: { code: 'INVALID', field, http: { status: 400 } } });
}

function below(above: Place, step: string | number | null): Place {
  return { above, step, depth: above.depth + 1, bound: above.bound };
}

function pathOf({ above, step }: Place): string {
  if (above === null) return String(step);
  if (step === null) return pathOf(above);
  return typeof step === 'number' ? `${pathOf(above)}[${step}]` : `${pathOf(above)}.${step}`;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

const LONGEST_PATH = 200;

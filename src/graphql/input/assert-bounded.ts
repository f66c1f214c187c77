import {
  type DocumentNode,
  GraphQLError,
  type GraphQLInputType,
  type GraphQLSchema,
  getNullableType,
  isInputObjectType,
  isListType,
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

/** Where a value sits in the caller's input, for the message, and how deep. */
interface Place {
  readonly path: string;
  readonly depth: number;
  readonly bound: InputBound;
}

/**
 * Refuses a query any of whose arguments is too long, by variables or by literals, before they are looked at any
 * further. It takes a time in proportion to what is sent at most, and stops at the first fault. The query must be
 * valid.
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
  visit(
    document,
    visitWithTypeInfo(types, {
      Argument({ name, value }) {
        const argument = types.getArgument();
        if (!argument) return;
        new InputJudge(bounds).judge(argument.type, plainValue(value, given), {
          path: name.value,
          depth: 0,
          bound: bounds(name.value),
        });
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

class InputJudge {
  constructor(private readonly bounds: InputBounds) {}

  judge(asked: GraphQLInputType, value: unknown, place: Place): void {
    const type = getNullableType(asked);
    assertNotTooDeep(place);
    if (isListType(type) && Array.isArray(value)) {
      assertItems(value, place);
      for (const [index, item] of value.entries()) {
        this.judge(type.ofType, item, below(place, `${place.path}[${index}]`));
      }
    } else if (isInputObjectType(type) && isObject(value)) {
      for (const { name, type: fieldType } of Object.values(type.getFields())) {
        if (!Object.hasOwn(value, name)) continue;
        const bound = this.bounds(name);
        this.judge(fieldType, value[name], { ...below(place, `${place.path}.${name}`), bound });
      }
    } else assertSmall(value, place, type === Json ? place.bound.values : place.bound.items);
  }
}

/** Judges what has no type that says more: JSON, a text, or something that is in the wrong place. */
function assertSmall(value: unknown, place: Place, most: number): void {
  let count = 0;
  const look = (one: unknown, at: Place): void => {
    if (++count > most) throw tooMuch(place, 'more', `${most} values`);
    assertNotTooDeep(at);
    if (typeof one === 'string') assertCharacters(one, at);
    else if (Array.isArray(one)) for (const item of one) look(item, below(at, at.path));
    else if (isObject(one)) {
      for (const [key, item] of Object.entries(one)) {
        assertCharacters(key, at);
        look(item, below(at, at.path));
      }
    }
  };
  look(value, place);
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

function tooMuch({ path }: Place, has: string, accepted: string): GraphQLError {
  const field = path.length > LONGEST_PATH ? `${path.slice(0, LONGEST_PATH)}...` : path;
  const message = `${fieldName(field)} has ${has}, at most ${accepted} are accepted; send less at once`;
  return new GraphQLError(message, { extensions: { code: 'INVALID', field, http: { status: 400 } } });
}

function below(place: Place, path: string): Place {
  return { ...place, path, depth: place.depth + 1 };
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

const LONGEST_PATH = 200;

import { registerEnumType } from 'type-graphql';

/** A GraphQL enum, each word under its own name. */
export type EnumObject<Value extends string> = { readonly [Name in Value]: Name };

/** Makes a GraphQL enum out of a list of words, with what each of them means. */
export function defineEnum<Value extends string>(
  name: string,
  values: readonly Value[],
  description: string,
  meanings: Partial<Record<Value, string>> = {},
): EnumObject<Value> {
  const object = Object.fromEntries(values.map((value) => [value, value])) as EnumObject<Value>;
  const described = Object.entries(meanings).map(([value, meaning]) => [value, { description: meaning }]);
  registerEnumType(object, { name, description, valuesConfig: Object.fromEntries(described) });
  return object;
}

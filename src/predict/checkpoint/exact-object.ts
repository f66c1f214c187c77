/**
 * An object without fields that has room for just so many. One of `Object.create`, or of `{}`, that grows field by
 * field takes up to twice as much memory.
 *
 * V8 gives the objects of a constructor as much room as the first few of them used, so each kind of object has a
 * constructor of its own, which has made some.
 * @param prototype of the object
 * @param fields that it will get, in their order
 */
export function exactObject(prototype: object, fields: readonly string[]): object {
  const size = Math.min(fields.length, MOST_FIELDS);
  const Maker = makers.get(prototype)?.get(size) ?? newMaker(prototype, size);
  return new Maker();
}

type Maker = new () => object;

function newMaker(prototype: object, size: number): Maker {
  function Made() {}
  Made.prototype = prototype;
  const Maker = Made as unknown as Maker;
  // Not the caller's names: V8 leaves no room for fields whose names are numbers, as some of those are. It counts only
  // objects that are still there.
  const fields = Object.fromEntries(Array.from({ length: size }, (_, i) => [`field${i}`, 0]));
  const watched: object[] = [];
  for (let i = 0; i < OBJECTS_WATCHED; i++) watched.push(Object.assign(new Maker(), fields));
  makers.set(prototype, (makers.get(prototype) ?? new Map()).set(size, Maker));
  return Maker;
}

/** By prototype, then by how many fields: objects of no class may have any. */
const makers = new WeakMap<object, Map<number, Maker>>();
/** V8 leaves objects of more fields room for so many, and the rest takes what it takes. */
const MOST_FIELDS = 8;
/** After so many V8 fixes how much room those of a constructor have. */
const OBJECTS_WATCHED = 8;

/** A class of objects that are made while something is learned. */
export type KeptClass = abstract new (...args: never[]) => object;

/** How an object is kept whose fields are not all there is to it, or are more than has to be kept. */
export interface Keeping<Kept extends object = object> {
  /** What is kept of it. */
  save(one: Kept): object;
  /** Gives it, as it was made anew, what had been kept. */
  load(one: Kept, saved: object): void;
}

const classes = new Map<string, KeptClass>();
const keepings = new Map<KeptClass, Keeping>();

/**
 * Says that objects of a class are part of what predictors learn, so that a checkpoint can bring them back. Classes
 * whose objects a predictor has from its beginning need not be told of.
 * @param keeping by its fields unless told
 * @throws Error when there is another one of that name
 */
export function keepClass<Kept extends object>(
  kept: abstract new (...args: never[]) => Kept,
  keeping?: Keeping<Kept>,
): void {
  const known = classes.get(kept.name);
  if (known && known !== kept) throw new Error(`two classes that are kept are called ${kept.name}`);
  classes.set(kept.name, kept);
  if (keeping) keepings.set(kept, keeping as Keeping);
}

/** The class of that name; undefined when nobody told of it. */
export function keptClass(name: string): KeptClass | undefined {
  return classes.get(name);
}

/** How objects of a class are kept; undefined for by their fields. */
export function keepingOf(kept: KeptClass): Keeping | undefined {
  return keepings.get(kept);
}

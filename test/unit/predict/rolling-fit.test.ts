import { expect, test } from 'vitest';
import { RollingFit } from '../../../src/predict/online/rolling-fit.ts';

/** The sum of its examples. */
class Sum {
  value = 0;
  private next = 0;

  constructor(private readonly examples: readonly number[]) {}

  get isGrown(): boolean {
    return this.next === this.examples.length;
  }

  grow(): void {
    while (!this.isGrown) this.value += this.examples[this.next++] as number;
  }
}

class SumFit extends RollingFit<number, Sum> {
  begun = 0;

  constructor() {
    super({ capacity: 100, fewestExamples: 10, fitEvery: 10, newShare: 1 }, 1);
  }

  take(example: number): void {
    this.learn(example);
    if (this.isDue) {
      this.begun++;
      this.begin((examples) => new Sum(examples));
    }
    this.continueFit();
  }

  get sum(): number | null {
    return this.model?.value ?? null;
  }

  protected featuresOf(example: number): Float32Array {
    return Float32Array.of(example);
  }

  protected numbersOf(example: number): readonly number[] {
    return [example];
  }

  protected exampleOf({ numbers }: { readonly numbers: Float64Array }): number {
    return numbers[0] as number;
  }
}

test('a model whose fits are left to others answers on and is fitted no more', () => {
  const [own, left] = [new SumFit(), new SumFit()];
  for (const fit of [own, left]) for (let i = 0; i < 15; i++) fit.take(1);
  expect(left).toMatchObject({ begun: 1, sum: 10, size: 10 });
  left.leaveToOthers();
  for (const fit of [own, left]) for (let i = 0; i < 50; i++) fit.take(1);
  expect(left).toMatchObject({ begun: 1, sum: 10, size: 10, isFitted: true });
  expect(own.begun).toBeGreaterThan(1);
});

test('one that was never fitted stays so', () => {
  const young = new SumFit();
  for (let i = 0; i < 9; i++) young.take(1);
  young.leaveToOthers();
  for (let i = 0; i < 9; i++) young.take(1);
  expect(young).toMatchObject({ begun: 0, sum: null, isFitted: false, size: 0 });
});

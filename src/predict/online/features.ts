/** Takes the features of a job one by one, always the same in the same order. */
export interface Features {
  /** @param group what the name begins with, for features that there are of several groups alike */
  add(value: number, name: string, group?: string): void;
}

/** Their values alone, as trees take them. Names are not put together: that would cost more than the values. */
export class FeatureValues implements Features {
  private readonly list: number[] = [];

  add(value: number): void {
    this.list.push(value);
  }

  values(): Float32Array {
    return new Float32Array(this.list);
  }
}

/** Their values with their names. */
export class NamedFeatures implements Features {
  readonly list: (readonly [name: string, value: number])[] = [];

  add(value: number, name: string, group = ''): void {
    this.list.push([group + name, value]);
  }
}

/** Passes on that nothing is known of any of them. */
export class UnknownFeatures implements Features {
  constructor(private readonly features: Features) {}

  add(_value: number, name: string, group?: string): void {
    this.features.add(Number.NaN, name, group);
  }
}

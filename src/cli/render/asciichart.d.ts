declare module 'asciichart' {
  /** The part of the package that is used here; it ships no types. */
  interface Asciichart {
    plot(
      series: readonly number[] | readonly (readonly number[])[],
      settings?: {
        readonly height?: number;
        readonly min?: number;
        readonly max?: number;
        readonly format?: (value: number) => string;
      },
    ): string;
  }
  const asciichart: Asciichart;
  export default asciichart;
}

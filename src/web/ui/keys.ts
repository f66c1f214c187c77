/** How many colours the keys of a chart have before they begin anew, see `.key-0` and on in the style. */
export const KEYS = 6;

/** How a message calls the field of a path, which it comes with: `processors` for `input.legs[0].processors`. */
export function fieldName(path: string): string {
  return path.slice(path.lastIndexOf('.') + 1);
}

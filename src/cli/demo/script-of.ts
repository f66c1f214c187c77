/** A job script that takes so many seconds; simulated sites read the `sleep`. */
export function scriptOf(runSeconds: number): string {
  return `#!/bin/sh\nsleep ${runSeconds}\n`;
}

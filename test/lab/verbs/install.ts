import { installPackages, LAB_PARTS } from '../packages.ts';

/** Installs the Debian packages of every part of a lab. */
export function run(): void {
  installPackages(LAB_PARTS);
}

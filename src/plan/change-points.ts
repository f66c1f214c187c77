import type { Trajectory } from '../domain/plan.ts';

/**
 * The points of a trajectory between which the probability stays what it is: the first and the last of every run of
 * equal probability. Whatever is read off it at a submission time in between is right.
 */
export function changePoints(trajectory: Trajectory): Trajectory {
  return trajectory.filter(({ probability }, index) => {
    const isSameAs = (neighbour: number) => trajectory[neighbour]?.probability === probability;
    return !isSameAs(index - 1) || !isSameAs(index + 1);
  });
}

/** What is said of what a job can ask for, where it asks and where it is shown. */
export const RESOURCES = {
  all: 'What it needs beside processors and walltime; nothing when absent.',
  nodes: 'Over how many nodes it is spread; as few as hold it when absent.',
  tasks: 'Processes that its own launcher (srun, mpirun) starts; one when absent.',
  tasksPerNode: 'How many of them are on each node at most.',
  processorsPerTask: 'Processors of each of them. Times the tasks they are the processors.',
  memoryPerNode: 'Memory that it needs on each of its nodes, in MiB.',
  memoryPerProcessor: 'Memory that it needs for each of its processors, in MiB.',
  gpus: 'GPUs that it needs in all, over all of its nodes.',
  gpuKind: 'Kind of these GPUs, as its site names it.',
  constraints: 'Features that each of its nodes must have, as its site names them.',
  exclusive: 'Whether no other job may be on its nodes.',
  licences: 'Licences that its site counts out.',
  licenceName: 'As its site names it.',
  licenceCount: 'How many of them.',
  tmpPerNode: 'Local disk space that it needs on each of its nodes, in MiB.',
} as const;

/** Where a script of a kind of application says its parameters. */
export type ParameterStyle = 'flags' | 'environment' | 'deck';

/** A kind of application as its scripts show it. */
export interface Kind {
  readonly titles: readonly string[];
  readonly modules: readonly string[];
  /** The command without its parameters. */
  readonly command: string;
  readonly style: ParameterStyle;
  /** What it calls its parameters. */
  readonly steps: string;
  readonly grid: string;
  readonly interval: string;
  readonly deck: string;
  readonly deckEnding: string;
}

export const KINDS: readonly Kind[] = [
  {
    titles: ['md', 'npt', 'protein', 'membrane'],
    modules: ['gcc/9.3.0', 'openmpi/4.0.5', 'gromacs/2020.4'],
    command: 'mpirun gmx_mpi mdrun -v',
    style: 'flags',
    steps: '-nsteps',
    grid: '-fourier',
    interval: '-cpt',
    deck: '-s',
    deckEnding: 'tpr',
  },
  {
    titles: ['melt', 'crack', 'polymer'],
    modules: ['intel/19.1', 'impi/2019', 'lammps'],
    command: 'srun lmp -screen none',
    style: 'flags',
    steps: '-var steps',
    grid: '-var cells',
    interval: '-var every',
    deck: '-in',
    deckEnding: 'in',
  },
  {
    titles: ['wing', 'duct', 'les_channel', 'cavity'],
    modules: ['openfoam/v2006'],
    command: 'mpirun simpleFoam -parallel',
    style: 'environment',
    steps: 'END_TIME',
    grid: 'MESH_CELLS',
    interval: 'WRITE_INTERVAL',
    deck: 'CASE',
    deckEnding: 'foam',
  },
  {
    titles: ['wrf', 'forecast', 'climate'],
    modules: ['netcdf/4.7.4', 'hdf5/1.10.6', 'wrf/4.2'],
    command: 'mpiexec ./wrf.exe',
    style: 'deck',
    steps: 'time_steps',
    grid: 'e_we',
    interval: 'history_interval',
    deck: 'input_from_file',
    deckEnding: 'nc',
  },
  {
    titles: ['scf', 'relax', 'bands'],
    modules: ['quantum-espresso/6.6'],
    command: 'mpirun pw.x -npool 4',
    style: 'deck',
    steps: 'electron_maxstep',
    grid: 'ecutwfc',
    interval: 'disk_io_every',
    deck: 'pseudo_file',
    deckEnding: 'upf',
  },
  {
    titles: ['align', 'assembly', 'blast'],
    modules: ['bwa/0.7.17', 'samtools/1.10'],
    command: './pipeline.sh --threads all',
    style: 'flags',
    steps: '--reads',
    grid: '--kmer-table',
    interval: '--chunk',
    deck: '--fastq',
    deckEnding: 'fq.gz',
  },
  {
    titles: ['mc', 'ising', 'transport'],
    modules: ['gcc/10.2', 'gsl/2.6'],
    command: 'srun ./montecarlo',
    style: 'environment',
    steps: 'SWEEPS',
    grid: 'LATTICE',
    interval: 'SAVE_EVERY',
    deck: 'START_FROM',
    deckEnding: 'cfg',
  },
  {
    titles: ['train', 'resnet', 'finetune'],
    modules: ['python/3.8', 'cuda/11.0'],
    command: 'python train.py --amp',
    style: 'flags',
    steps: '--iterations',
    grid: '--resolution',
    interval: '--checkpoint-every',
    deck: '--dataset',
    deckEnding: 'tfrecord',
  },
  {
    titles: ['fem', 'stress', 'crash'],
    modules: ['abaqus/2020'],
    command: 'abaqus interactive double=both',
    style: 'deck',
    steps: 'increments',
    grid: 'elements_per_edge',
    interval: 'output_frequency',
    deck: 'model',
    deckEnding: 'inp',
  },
];

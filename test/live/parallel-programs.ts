/** Says how many ranks there are and how many of them are on each node. */
export const MPI_PROGRAM = `from mpi4py import MPI
import collections, os
world = MPI.COMM_WORLD
nodes = world.gather(os.environ.get("SLURMD_NODENAME"))
if world.rank == 0:
    counts = sorted(collections.Counter(nodes).values())
    print(world.size, "ranks, nodes with", ", ".join(map(str, counts)), flush=True)
`;

/** The nodes of a lab are one machine: shared memory would mistake them for one. */
export const MPIRUN =
  'OMPI_MCA_btl=self,tcp OMPI_MCA_btl_tcp_if_include=lo OMPI_MCA_oob_tcp_if_include=lo mpirun --oversubscribe';

/** A parallel region of GNU's OpenMP, with as many threads as it starts by itself; says how many they were. */
export const OPENMP_PROGRAM = `import ctypes
gomp = ctypes.CDLL("libgomp.so.1")
seen = set()
region = ctypes.CFUNCTYPE(None, ctypes.c_void_p)(lambda _: seen.add(gomp.omp_get_thread_num()))
gomp.GOMP_parallel(region, None, 0, 0)
print(len(seen), "threads", flush=True)
`;

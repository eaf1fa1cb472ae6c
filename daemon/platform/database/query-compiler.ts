/**
 * Prisma compiles queries in WebAssembly, each shape of query once; the plans are kept. Optimising that module costs V8
 * 100 MB and a third of a start, and pays back nothing. So it is told to leave WebAssembly as its first compiler makes it.
 */
import { setFlagsFromString } from 'node:v8';

/** To be called before the first client is made. Holds for the process; what else is WebAssembly here is small. */
export function plainQueryCompiler(): void {
  setFlagsFromString('--liftoff-only');
}

/**
 * Prisma compiles queries in WebAssembly, once per shape of query. Optimising that module costs V8 100 MB and a third
 * of the start time, and gains nothing. So V8 is told to keep the code of its first compiler.
 */
import { setFlagsFromString } from 'node:v8';

/** To be called before the first client is made. Applies to the process; other WebAssembly in it is small. */
export function plainQueryCompiler(): void {
  setFlagsFromString('--liftoff-only');
}

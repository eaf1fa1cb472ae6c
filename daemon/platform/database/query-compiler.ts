/**
 * Prisma compiles queries in WebAssembly, once for each shape of query. Optimising that module costs V8 100 MB and a third of
 * the start time and gains nothing, so V8 keeps the code of its first compiler.
 */
import { setFlagsFromString } from 'node:v8';

/** Must be called before the first client is made. Applies to the process; other WebAssembly in it is small. */
export function plainQueryCompiler(): void {
  setFlagsFromString('--liftoff-only');
}

/**
 * Prisma compiles queries in WebAssembly, once per shape of query and client. Optimising that module costs V8 100 MB and a
 * third of the start time, and gains nothing, so V8 is told to keep the code of its first compiler. And the clients of a
 * process share one compiler for each database, with what it has compiled: that of a second client would read all models
 * again and compile the same queries.
 */
import { setFlagsFromString } from 'node:v8';
import { LRUCache } from 'lru-cache';

/** To be called before the first client is made. Applies to the process; other WebAssembly in it is small. */
export function plainQueryCompiler(): void {
  setFlagsFromString('--liftoff-only');
}

interface Options {
  readonly datamodel: string;
  readonly provider: string;
  readonly connectionInfo: unknown;
}

/** What Prisma calls; a plan is not changed by those who carry it out. */
interface Compiler {
  compile(request: string): object;
  compileBatch(request: string): object;
  free(): void;
}
type CompilerClass = new (options: Options) => Compiler;

/** As many as Prisma itself keeps for a client. */
const plansMax = 1_000;
/** Longer ones hold rows, and do not come again. */
const keptLengthMax = 16_384;

class SharedCompiler {
  private readonly plans = new LRUCache<string, object>({ max: plansMax });
  private compiler: Compiler | null = null;

  constructor(private readonly make: () => Compiler) {}

  plan(kind: 'compile' | 'compileBatch', request: string): object {
    const key = `${kind} ${request}`;
    const known = this.plans.get(key);
    if (known !== undefined) return known;
    const plan = this.compiled(kind, request);
    if (request.length <= keptLengthMax) this.plans.set(key, plan);
    return plan;
  }

  private compiled(kind: 'compile' | 'compileBatch', request: string): object {
    this.compiler ??= this.make();
    try {
      return this.compiler[kind](request);
    } catch (error) {
      // WebAssembly that has broken down says so by a RuntimeError; the next query gets a new one.
      if (error instanceof Error && error.name === 'RuntimeError') this.compiler = null;
      throw error;
    }
  }
}

/** The runtime of Prisma's compiler, whose compilers share. The generated clients load theirs through it. */
export function sharing<Runtime extends { readonly QueryCompiler: CompilerClass }>(runtime: Runtime): Runtime {
  const shared = new Map<string, SharedCompiler>();
  const sharedBy = (options: Options): SharedCompiler => {
    const key = JSON.stringify(options);
    const found = shared.get(key) ?? new SharedCompiler(() => new runtime.QueryCompiler(options));
    shared.set(key, found);
    return found;
  };
  return {
    ...runtime,
    QueryCompiler: class {
      private readonly by: SharedCompiler;
      constructor(options: Options) {
        this.by = sharedBy(options);
      }
      compile = (request: string) => this.by.plan('compile', request);
      compileBatch = (request: string) => this.by.plan('compileBatch', request);
      free(): void {} // the others go on with it
    },
  };
}

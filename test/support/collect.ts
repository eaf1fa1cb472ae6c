/** Garbage collection in this process, and what survives it. */
import { setTimeout as sleep } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

const collections = 8;
const settleMs = 50;

function collector(): () => void {
  setFlagsFromString('--expose-gc');
  const gc: unknown = runInNewContext('gc');
  if (typeof gc !== 'function') throw new Error('This Node.js does not collect on demand.');
  return () => void gc();
}

/** Does the work while garbage is collected all the time. */
export async function whileCollecting<Result>(work: () => Promise<Result>): Promise<Result> {
  const collecting = setInterval(collector(), settleMs);
  try {
    return await work();
  } finally {
    clearInterval(collecting);
  }
}

/** Collects garbage several times: finalisers run in between and free more. */
async function collect(): Promise<void> {
  const gc = collector();
  for (let collection = 0; collection < collections; collection += 1) {
    gc();
    await sleep(settleMs);
  }
}

/** Counts the objects that are still in memory after garbage collection. */
export async function survivors(objects: readonly WeakRef<object>[]): Promise<number> {
  await collect();
  return objects.filter((one) => one.deref() !== undefined).length;
}

/** Bytes of this process's heap in use after collections. */
export async function heapAfterCollection(): Promise<number> {
  await collect();
  return process.memoryUsage().heapUsed;
}

/**
 * Measures what an attack by one client or tenant costs the others: how soon /health/live answers, how long another
 * tenant's writes take, and how much memory the daemon has meanwhile. The machine is the one that people rent:
 * `rentedMachine` limits the open files, the probe the memory.
 */
import { appendFileSync } from 'node:fs';
import { Worker } from 'node:worker_threads';
import { uuidv7 } from 'uuidv7';
import { expect } from 'vitest';
import type { DaemonProcess } from './daemon-process.js';
import { makeOtherProjectIn } from './other-tenant.js';
import { torture } from './scale.js';

/** Options of `DaemonProcess` for a suite that attacks it. */
export const rentedMachine = { openFilesMax: 1_024 } as const;
/** Resident memory of the daemon and its child processes together. */
const memoryMaxMib = 2_048;

/** The worst answer of /health/live during an attack or load by one client or tenant, and the p95 of a neighbour's write. */
export const worstAnswerMaxMs = 500;

interface Measured {
  /** Requests that were sent, and how many of them got no answer or another one than was due. */
  readonly answers: number;
  readonly failed: number;
  /** The last answer that was not due; null: none came. */
  readonly last: number | null;
  readonly medianMs: number;
  readonly p95Ms: number;
  readonly worstMs: number;
}

export interface Health {
  readonly live: Measured;
  /** Writes of a tenant that has no part in the attack. */
  readonly writes: Measured;
  /** The most memory that was sampled; 0 where the system does not tell. */
  readonly memoryMib: number;
}

const neighbours = new WeakMap<DaemonProcess, Promise<{ key: string; projectId: string }>>();
const neighbourAddress = '127.0.0.77';

function neighbourOf(daemon: DaemonProcess): Promise<{ key: string; projectId: string }> {
  const made = neighbours.get(daemon) ?? makeOtherProjectIn(daemon.databaseUrl, new Date());
  neighbours.set(daemon, made);
  return made;
}

/**
 * Runs the attack and measures meanwhile. Every health request and every write of the neighbour must be answered; at full
 * scale within `worstAnswerMaxMs` (at small scale suites share the machine, so the figures are printed and not judged).
 */
export async function watchingHealth(
  daemon: DaemonProcess,
  title: string,
  attack: () => Promise<void>,
): Promise<Health> {
  const neighbour = { ...(await neighbourOf(daemon)), address: neighbourAddress, run: uuidv7() };
  const worker = new Worker(new URL('./health-probe.mjs', import.meta.url), {
    workerData: { url: daemon.url, pid: daemon.pid, memoryMaxMib, neighbour },
  });
  const result = new Promise<Health>((resolve, reject) => {
    worker.once('message', resolve);
    worker.once('error', reject);
  });
  try {
    await attack();
  } finally {
    worker.postMessage('stop');
  }
  const health = await result;
  await worker.terminate();
  const { live, writes, memoryMib } = health;
  console.info(
    `${title}: health answered ${live.answers} times, worst ${live.worstMs.toFixed(0)} ms; a neighbour wrote ` +
      `${writes.answers} times, p95 ${writes.p95Ms.toFixed(0)} ms; the daemon had ${memoryMib.toFixed(0)} MiB`,
  );
  report({ title, ...health });
  expect(memoryMib, `${title}: MiB of the daemon and its children`).toBeLessThanOrEqual(memoryMaxMib);
  expect({ title, failed: live.failed, last: live.last }).toEqual({ title, failed: 0, last: null });
  expect({ title, failedWrites: writes.failed, last: writes.last }).toEqual({ title, failedWrites: 0, last: null });
  if (torture) {
    expect(live.worstMs, `${title}: worst answer of /health/live in ms`).toBeLessThanOrEqual(worstAnswerMaxMs);
    expect(writes.p95Ms, `${title}: p95 of a neighbour's write in ms`).toBeLessThanOrEqual(worstAnswerMaxMs);
  }
  return health;
}

/** A line for the table at the end of `npm test` and `npm run torture`, which name the file. */
function report(line: Health & { readonly title: string }): void {
  const file = process.env.EARSHOT_HEALTH_FILE;
  if (file !== undefined) appendFileSync(file, `${JSON.stringify(line)}\n`);
}

/**
 * Measures what an attack by one client or tenant costs the others: how soon /health/live answers, how long another
 * tenant's writes take, and how much memory the daemon has meanwhile. The machine is the one that people rent
 * (`rentedMachine`).
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync } from 'node:fs';
import os from 'node:os';
import { fileURLToPath } from 'node:url';
import { uuidv7 } from 'uuidv7';
import { expect } from 'vitest';
import { type DaemonProcess, goFirst } from './daemon-process.js';
import { makeOtherProject } from './other-tenant.js';
import { scale, torture } from './scale.js';

/**
 * Options of `DaemonProcess` for a suite that attacks it. Each process may have so much memory, and the probe ends the
 * daemon once it and its children have more together. Attackers have machines of their own; where they share the
 * processors, the daemon and the other clients go first at full scale.
 */
export const rentedMachine = { openFilesMax: 1_024, memoryMaxMib: 2_048, goesFirst: torture } as const;
const { memoryMaxMib } = rentedMachine;

/** The worst answer of /health/live during an attack or load by one client or tenant, and the p95 of a neighbour's write. */
const worstAnswerMaxMs = 500;

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
  /** Time that the daemon's main thread was ready but had no processor; 0 if the system does not report it. */
  readonly starvedMs: number;
}

/** Pause before the next health request, and before the next write of the neighbour. */
const pauseMs = scale(200, 20);
/** Pause before the memory of the daemon is read again. */
const memoryPauseMs = scale(100, 50);

const probe = fileURLToPath(new URL('./health-probe.mjs', import.meta.url));

const neighbours = new WeakMap<DaemonProcess, Promise<{ key: string; projectId: string }>>();
const neighbourAddress = '127.0.0.77';

function neighbourOf(daemon: DaemonProcess): Promise<{ key: string; projectId: string }> {
  const made = neighbours.get(daemon) ?? makeOtherProject(daemon.databaseUrl, new Date());
  neighbours.set(daemon, made);
  return made;
}

/**
 * Runs the attack and measures meanwhile. Every health request and every write of the neighbour must be answered; at full
 * scale within `worstAnswerMaxMs` (at small scale suites share the machine, so the figures are printed and not judged).
 * `othersAreHere`: the process of the suite is itself somebody whom the attack must not disturb; its children attack.
 */
export async function watchingHealth(
  daemon: DaemonProcess,
  title: string,
  attack: () => Promise<void>,
  { othersAreHere = false }: { readonly othersAreHere?: boolean } = {},
): Promise<Health> {
  const neighbour = { ...(await neighbourOf(daemon)), address: neighbourAddress, run: uuidv7() };
  const asked = { url: daemon.url, pid: daemon.pid, memoryMaxMib, neighbour, pauseMs, memoryPauseMs };
  const [program = '', ...first] = [...(torture ? goFirst : []), process.execPath, probe];
  const others = spawn(program, [...first, JSON.stringify(asked)], { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
  const ready = once(others, 'message');
  const result = new Promise<Health>((resolve, reject) => {
    others.on('message', (measured) => typeof measured === 'object' && resolve(measured as Health));
    others.once('error', reject);
    others.once('exit', (code) => reject(new Error(`The process that measures ended (${code}).`)));
  });
  await Promise.race([ready, result]);
  result.catch(() => {}); // the attack goes on to its own end
  const endAttack = othersAreHere ? () => {} : giveWay();
  try {
    await attack();
  } finally {
    endAttack();
    if (others.connected) others.send('stop');
  }
  const health = await result;
  const { live, writes, memoryMib, starvedMs } = health;
  console.info(
    `${title}: health answered ${live.answers} times, worst ${live.worstMs.toFixed(0)} ms; a neighbour wrote ` +
      `${writes.answers} times, p95 ${writes.p95Ms.toFixed(0)} ms; the daemon had ${memoryMib.toFixed(0)} MiB, ` +
      `and waited ${starvedMs.toFixed(0)} ms for a processor`,
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

/** Value for `nice -n`. */
export const lowPriority = os.constants.priority.PRIORITY_LOW;
/** The attacker, and what it starts, runs only where others leave time. Returns what ends this. */
function giveWay(): () => void {
  if (!torture) return () => {};
  const usual = os.getPriority();
  os.setPriority(lowPriority);
  return () => {
    try {
      os.setPriority(usual);
    } catch {
      // Only root may go back; what follows gives way, too.
    }
  };
}

/** A line for the table at the end of `npm run test:all` and `npm run torture`, which name the file. */
function report(line: Health & { readonly title: string }): void {
  const file = process.env.EARSHOT_HEALTH_FILE;
  if (file !== undefined) appendFileSync(file, `${JSON.stringify(line)}\n`);
}

/**
 * Asks a daemon for its health all the time, from a thread of its own, while a test attacks it: what others notice of the
 * attack. The thread keeps measuring while the attacker's own event loop is busy.
 */
import { appendFileSync } from 'node:fs';
import { Worker } from 'node:worker_threads';
import { expect } from 'vitest';
import { torture } from './scale.js';

/** What any attack or load by one client or tenant may cost others: they are answered within this time. */
export const worstAnswerMaxMs = 1_000;

const program = `
const { parentPort, workerData } = require('node:worker_threads');
const http = require('node:http');
const agent = new http.Agent({ keepAlive: false });
const latencies = [];
let failed = 0;
let stopping = false;
const ask = () => new Promise((resolve) => {
  const started = performance.now();
  const done = (ok) => { latencies.push(performance.now() - started); if (!ok) failed += 1; resolve(); };
  const request = http.get(workerData.url + '/health/live', { agent, timeout: 60000 }, (response) => {
    response.resume();
    response.once('end', () => done(response.statusCode === 200));
    response.once('error', () => done(false));
  });
  request.once('timeout', () => request.destroy(new Error('no answer')));
  request.once('error', () => done(false));
});
parentPort.once('message', () => { stopping = true; });
(async () => {
  while (!stopping) { await ask(); await new Promise((resolve) => setTimeout(resolve, 20)); }
  latencies.sort((a, b) => a - b);
  parentPort.postMessage({ answers: latencies.length, failed, medianMs: latencies[latencies.length >> 1] ?? 0, worstMs: latencies.at(-1) ?? 0 });
})();
`;

export interface Health {
  /** Requests that were sent, and how many of them got no answer or not 200. */
  readonly answers: number;
  readonly failed: number;
  readonly medianMs: number;
  readonly worstMs: number;
}

/**
 * Runs the attack and measures meanwhile. Every health request must be answered; at full scale within `worstAnswerMaxMs`
 * (at small scale suites share the machine, so the figure is printed and not judged).
 */
export async function watchingHealth(url: string, title: string, attack: () => Promise<void>): Promise<Health> {
  const worker = new Worker(program, { eval: true, workerData: { url } });
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
  const { answers, failed, medianMs, worstMs } = health;
  console.info(
    `${title}: health answered ${answers} times, median ${medianMs.toFixed(1)} ms, worst ${worstMs.toFixed(0)} ms`,
  );
  report({ title, ...health });
  expect({ title, failed }).toEqual({ title, failed: 0 });
  if (torture) expect(worstMs, `${title}: worst answer of /health/live in ms`).toBeLessThanOrEqual(worstAnswerMaxMs);
  return health;
}

/** A line for the table at the end of `npm test` and `npm run torture`, which name the file. */
function report(line: Health & { readonly title: string }): void {
  const file = process.env.EARSHOT_HEALTH_FILE;
  if (file !== undefined) appendFileSync(file, `${JSON.stringify(line)}\n`);
}

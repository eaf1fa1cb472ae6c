/**
 * Offers by the thousand, as many at once as one network may have connections, from a thread of its own: the test's event
 * loop stays free for its peers.
 */
import { Worker } from 'node:worker_threads';

const program = `
const { parentPort, workerData } = require('node:worker_threads');
const http = require('node:http');
const { urls, token, offers, count } = workerData;
const agent = new http.Agent({ maxSockets: 100 });
const one = (index) => new Promise((resolve) => {
  const headers = { Authorization: 'Bearer ' + token, 'Content-Type': 'application/sdp' };
  const request = http.request(urls[index % urls.length], { method: 'POST', headers, agent, timeout: 60000 }, (response) => {
    response.resume();
    const told = response.headers['retry-after'] !== undefined;
    response.once('end', () => resolve(response.statusCode + (response.statusCode >= 429 && !told ? ' without Retry-After' : '')));
    response.once('error', () => resolve('broken'));
  });
  request.once('timeout', () => request.destroy(new Error('no answer')));
  request.once('error', (error) => resolve(error.code ?? error.message));
  request.end(offers[index % offers.length]);
});
Promise.all(Array.from({ length: count }, (_, index) => one(index))).then((outcomes) => {
  const counts = {};
  for (const outcome of outcomes) counts[outcome] = (counts[outcome] ?? 0) + 1;
  parentPort.postMessage(counts);
});
`;

export interface OfferFlood {
  /** Taken in turn, each with the offer at the same place. */
  readonly urls: readonly string[];
  readonly offers: readonly string[];
  readonly token: string;
  readonly count: number;
}

/** Floods a room with offers. Returns the number of answers by status or error. */
export async function flood(attack: OfferFlood): Promise<Record<string, number>> {
  const worker = new Worker(program, { eval: true, workerData: attack });
  try {
    return await new Promise((resolve, reject) => {
      worker.once('message', resolve);
      worker.once('error', reject);
    });
  } finally {
    await worker.terminate();
  }
}

/**
 * Effects of an attack on other clients, measured in a process of its own, because the attacker's may be busy: one asks
 * for /health/live, one writes as another tenant, and the resident memory of the daemon and its children is sampled.
 * A daemon that takes more memory than a rented machine has is killed, as the kernel of that machine would do.
 * Plain JavaScript, no dependencies: Node.js loads it as it is.
 */
import { readdirSync, readFileSync } from 'node:fs';
import http from 'node:http';
import https from 'node:https';
import { setTimeout as sleep } from 'node:timers/promises';

const { url, pid, memoryMaxMib, neighbour, pauseMs, memoryPauseMs } = JSON.parse(process.argv[2]);
const timeoutMs = 60_000;

let stopping = false;
process.once('message', () => {
  stopping = true;
});
process.once('disconnect', () => process.exit()); // the suite has ended

/** Sends one request on a connection of its own. Resolves to the status, null when there was no answer. */
const send = (address, options, body) =>
  new Promise((resolve) => {
    const { request: call } = address.startsWith('https:') ? https : http;
    const sent = { agent: false, timeout: timeoutMs, rejectUnauthorized: false, ...options };
    const request = call(address, sent, (response) => {
      response.resume();
      response.once('end', () => resolve(response.statusCode));
      response.once('error', () => resolve(null));
    });
    request.once('timeout', () => request.destroy(new Error('no answer')));
    request.once('error', () => resolve(null));
    request.end(body);
  });

/** Sends requests one after the other until the attack is over. `last`: a status other than the expected one. */
async function measure(pauseMs, expected, ask) {
  const latencies = [];
  let failed = 0;
  let last = null;
  for (let index = 0; !stopping; index += 1) {
    const began = performance.now();
    const status = await ask(index);
    latencies.push(performance.now() - began);
    if (status !== expected) {
      failed += 1;
      last = status;
    }
    await sleep(pauseMs);
  }
  latencies.sort((a, b) => a - b);
  const at = (share) => latencies[Math.min(latencies.length - 1, Math.floor(latencies.length * share))] ?? 0;
  return { answers: latencies.length, failed, last, medianMs: at(0.5), p95Ms: at(0.95), worstMs: at(1) };
}

const health = () => send(`${url}/health/live`, {});

/** From an address of its own where the system has many, as the limits by address count them apart. */
const localAddress = process.platform === 'linux' ? { localAddress: neighbour.address } : {};
const write = (index) =>
  send(
    `${url}/api/projects/${neighbour.projectId}/participants`,
    { ...localAddress, method: 'POST', headers: { 'X-API-Key': neighbour.key, 'Content-Type': 'application/json' } },
    JSON.stringify({ externalUserId: `${neighbour.run}-${index}` }),
  );

/** Resident memory of a process and its descendants, in MiB; 0 where /proc is missing. */
function residentMib(process) {
  try {
    const status = readFileSync(`/proc/${process}/status`, 'utf8');
    const own = Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1] ?? 0) / 1024;
    const children = readdirSync(`/proc/${process}/task`).flatMap((thread) =>
      readFileSync(`/proc/${process}/task/${thread}/children`, 'utf8').split(' ').filter(Boolean),
    );
    return children.reduce((sum, child) => sum + residentMib(child), own);
  } catch {
    return 0; // it has just ended
  }
}

/** Returns the time that the daemon's main thread has waited for a processor since its start, in ms; 0 without /proc. */
function waitedMs() {
  try {
    return Number(readFileSync(`/proc/${pid}/task/${pid}/schedstat`, 'utf8').split(' ')[1]) / 1e6;
  } catch {
    return 0;
  }
}

async function sampleMemory() {
  let most = 0;
  while (!stopping) {
    most = Math.max(most, residentMib(pid));
    if (most > memoryMaxMib) {
      process.kill(pid, 'SIGKILL');
      break;
    }
    await sleep(memoryPauseMs);
  }
  return most;
}

// Before the attack: it should not meet a process that still loads its code.
await Promise.all([health(), write('first')]);
process.send('ready');
const waitedBefore = waitedMs();
const [live, writes, memoryMib] = await Promise.all([
  measure(pauseMs, 200, health),
  measure(pauseMs, 201, write),
  sampleMemory(),
]);
const starvedMs = Math.max(0, waitedMs() - waitedBefore);
process.send({ live, writes, memoryMib, starvedMs }, () => process.disconnect());

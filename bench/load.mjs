// One run of load, in a process of its own. Reads what to send as JSON from its input and prints the result as JSON. `wrk`
// (`apt install wrk`) sends where it is installed, since it takes a tenth of the processor time of autocannon and leaves the
// machine to the server; the result says which of them it was.
import { spawnSync } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { byAutocannon } from './load-autocannon.mjs';
import { byWrk } from './load-wrk.mjs';
import { bodies } from './workload.mjs';

const requestsPerConnection = { batch: 10, get: 1 };

const { url, key, tokens, connections, seconds, kind } = JSON.parse(await text(process.stdin));

/** Made beforehand, so that the first answers do not wait for them. */
function requests() {
  const count = connections * (requestsPerConnection[kind] ?? 200);
  if (kind === 'get') return Array.from({ length: count }, () => ({ headers: { 'x-api-key': key } }));
  return Array.from({ length: count }, (_, index) => ({
    headers: {
      'content-type': 'application/json',
      authorization: `Bearer ${tokens ? tokens[index % tokens.length] : key}`,
    },
    body: bodies[kind](),
  }));
}

const load = spawnSync('wrk', ['--version']).error ? byAutocannon : byWrk;
const result = await load({ url, method: kind === 'get' ? 'GET' : 'POST', connections, seconds, requests: requests() });
process.stdout.write(JSON.stringify({ by: load === byWrk ? 'wrk' : 'autocannon', ...result }));

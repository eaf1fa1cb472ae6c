// One run of load, in a process of its own: node bench/load.mjs URL KEY CONNECTIONS SECONDS KIND. Prints the result as
// JSON. KIND `get` asks for the URL; every other one names the bodies that are sent.
import autocannon from 'autocannon';
import { bodies } from './workload.mjs';

const [url, key, connections, duration, kind] = process.argv.slice(2);
const bodiesPerConnection = kind === 'batch' ? 10 : 200;
const warmUpSeconds = 1;
const count = Number(connections);

// Made beforehand, so that the first answers do not wait for them.
const isRead = kind === 'get';
const made = Array.from({ length: isRead ? 0 : count * bodiesPerConnection }, () => ({ body: bodies[kind]() }));
let given = 0;
const result = await autocannon({
  url,
  connections: count,
  duration: Number(duration),
  warmup: { connections: count, duration: warmUpSeconds },
  method: isRead ? 'GET' : 'POST',
  headers: isRead ? { 'x-api-key': key } : { 'content-type': 'application/json', authorization: `Bearer ${key}` },
  setupClient: (client) => {
    if (isRead) return;
    const from = (given++ % count) * bodiesPerConnection;
    client.setRequests(made.slice(from, from + bodiesPerConnection));
  },
});
const { requests, latency, errors, non2xx } = result;
process.stdout.write(
  JSON.stringify({
    perSecond: requests.average,
    total: result['2xx'],
    p50: latency.p50,
    p99: latency.p99,
    failed: errors + non2xx,
  }),
);

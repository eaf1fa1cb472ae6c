// One run of load, in a process of its own: node bench/load.mjs URL KEY CONNECTIONS SECONDS. Prints the result as JSON.
import autocannon from 'autocannon';
import { randomEvent } from './workload.mjs';

const [url, key, connections, duration] = process.argv.slice(2);
const bodiesPerConnection = 500;

const result = await autocannon({
  url,
  connections: Number(connections),
  duration: Number(duration),
  method: 'POST',
  headers: { 'content-type': 'application/json', authorization: `Bearer ${key}` },
  setupClient: (client) => {
    client.setRequests(Array.from({ length: bodiesPerConnection }, () => ({ body: randomEvent() })));
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

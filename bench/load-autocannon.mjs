import autocannon from 'autocannon';

const warmUpSeconds = 1;

/** Each connection repeats its own share of the requests. */
export async function byAutocannon({ url, method, connections, seconds, requests }) {
  const share = Math.ceil(requests.length / connections);
  let given = 0;
  const result = await autocannon({
    url,
    method,
    connections,
    duration: seconds,
    warmup: { connections, duration: warmUpSeconds },
    setupClient: (client) => {
      const from = (given++ % connections) * share;
      client.setRequests(requests.slice(from, from + share));
    },
  });
  const { latency, errors, non2xx, warmup } = result;
  return {
    perSecond: result.requests.average,
    total: result['2xx'],
    totalWithWarmUp: result['2xx'] + warmup['2xx'],
    p50: latency.p50,
    p99: latency.p99,
    failed: errors + non2xx,
  };
}

// Clients whose event streams were cut, and which all come back at once. Reads `url`s with headers and counts as JSON from its
// input; prints, for each of them, the milliseconds until each of its streams was back, and how many answers refused one, with and
// without a time to wait.
import http from 'node:http';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';

const tenants = JSON.parse(await text(process.stdin));
/** As an event stream says it itself (`retry:`). */
const retryMs = 3_000;
const agent = new http.Agent({ maxSockets: Number.POSITIVE_INFINITY });
const refused = { hinted: 0, bare: 0, cut: 0 };

/** Resolves to null once the stream is back, or to the milliseconds to wait. */
const attempt = (url, headers) =>
  new Promise((resolve) => {
    const request = http.get(url, { agent, headers: { accept: 'text/event-stream', ...headers } }, (response) => {
      response.on('error', () => {});
      if (response.statusCode === 200) return response.once('data', () => resolve(null)).resume();
      response.resume();
      const seconds = response.headers['retry-after'];
      refused[seconds === undefined ? 'bare' : 'hinted'] += 1;
      resolve(seconds === undefined ? retryMs : Number(seconds) * 1_000);
    });
    request.on('error', () => {
      refused.cut += 1;
      resolve(retryMs);
    });
  });

const began = performance.now();
const back = await Promise.all(
  tenants.map(({ url, headers, count }) =>
    Promise.all(
      Array.from({ length: count }, async (_, index) => {
        for (;;) {
          const waitMs = await attempt(url, headers[index % headers.length]);
          if (waitMs === null) return performance.now() - began;
          await sleep(waitMs);
        }
      }),
    ),
  ),
);
process.stdout.write(JSON.stringify({ back, refused }));
process.exit();

// The reference of the webhooks bench: signed POSTs over kept connections in a loop, as many at once as the daemon has,
// and nothing else: no outbox, no log, no retries. Sent { urls, body, count }: posts the body so often to each.
import { randomUUID } from 'node:crypto';
import http from 'node:http';
import { deliveryHeaders } from '#dist/src/signing/signing.js';

const atOnce = 8;
const agent = new http.Agent({ keepAlive: true });

const post = (url, body) =>
  new Promise((resolve, reject) => {
    const headers = {
      ...deliveryHeaders('a long enough secret', randomUUID(), body, new Date()),
      'Content-Type': 'application/json',
      'Content-Length': String(Buffer.byteLength(body)),
    };
    http
      .request(url, { method: 'POST', headers, agent }, (response) => response.resume().on('end', resolve))
      .on('error', reject)
      .end(body);
  });

process.on('message', ({ urls, body, count }) => {
  for (const url of urls) {
    let left = count;
    const lane = async () => {
      while (left > 0) {
        left -= 1;
        await post(url, body);
      }
    };
    for (let each = 0; each < atOnce; each += 1) void lane();
  }
});
process.once('disconnect', () => process.exit());

/**
 * A plugin whose code needs Node.js: an endpoint that gets each event signed, and answers with annotations.
 *
 *   earshotd plugins install ./examples/plugin-endpoint     # prints the secret
 *   SECRET=whsec_… node examples/plugin-endpoint/server.mjs
 *   earshot plugins install names
 *
 * A daemon calls addresses of its own machine only where EARSHOT_OUTBOUND_ALLOW=127.0.0.0/8 says so.
 */
import { createServer } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { verifyWebhook, WebhookRefused } from 'earshot';

const { SECRET: secret = '', PORT: port = '9400' } = process.env;
const unnamed = new Set(['voldemort']);

const server = createServer(async (request, response) => {
  try {
    const event = await verifyWebhook(await buffer(request), request.headers, secret);
    const words = String(event.payload.data.content).toLowerCase().split(/\W+/);
    const names = words.filter((word) => unnamed.has(word));
    const annotations = names.length === 0 ? [] : [{ type: 'named', content: { names } }];
    response.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify({ annotations }));
  } catch (error) {
    response.writeHead(error instanceof WebhookRefused ? 401 : 500).end();
  }
});
server.listen(Number(port), '127.0.0.1', () => console.log('Waiting for events'));

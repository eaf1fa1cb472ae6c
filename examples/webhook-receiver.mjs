/**
 * Receives webhooks, and believes only what the daemon has signed.
 *
 *   EARSHOT_WEBHOOK_SECRET=whsec_… node webhook-receiver.mjs
 *   earshot webhooks create --to https://game.example/hook --events "sanction.*"     shows the secret, once
 */
import { createServer } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { verifyWebhook, WebhookRefused } from 'earshot';

const { EARSHOT_WEBHOOK_SECRET: secret = '', PORT: port = '3000' } = process.env;
const bodyBytesMax = 1024 * 1024;

/** A delivery may come twice, under the same id. A game keeps these ids in its database. */
const handled = new Set();

function handle(event) {
  if (handled.has(event.id)) return;
  handled.add(event.id);
  const { data } = event.payload;
  switch (event.type) {
    case 'sanction.created':
      return console.log(`${data.externalUserId}: ${data.type}, ${data.reason ?? 'no reason given'}`);
    case 'sanction.revoked':
      return console.log(`${data.externalUserId}: ${data.type} was lifted`);
    default: // of a newer daemon, or of another subscription
  }
}

const server = createServer(async (request, response) => {
  try {
    // The signature is over the body as it came, so nothing may parse it before.
    if (!(request.headers['content-length'] <= bodyBytesMax)) return response.writeHead(413).end();
    handle(await verifyWebhook(await buffer(request), request.headers, secret));
    response.writeHead(204).end();
  } catch (error) {
    if (!(error instanceof WebhookRefused)) console.error(error);
    response.writeHead(error instanceof WebhookRefused ? 400 : 500).end();
  }
});
server.listen(Number(port), () => console.log(`Waiting for webhooks on port ${server.address().port}.`));

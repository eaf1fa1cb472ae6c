/** A receiver of webhooks that answers 410, so that the daemon disables the subscription. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import { webhookRoutes } from '../../contract/webhooks/webhooks.js';
import { StateError } from '../../terminal/state-error.js';
import { attempted } from '../webhooks/webhooks.js';
import type { Scratch } from './scratch.js';

const host = '127.0.0.1';
const gone = 410;

/** Returns the subscription. Throws StateError when the daemon does not reach this machine. */
export async function disabledByReceiver(scratch: Scratch): Promise<string> {
  const server = createServer((request, response) => request.resume().on('end', () => response.writeHead(gone).end()));
  await once(server.listen(0, host), 'listening');
  try {
    const address = server.address();
    const port = typeof address === 'object' ? address?.port : null;
    const { id } = await scratch.webhook(`http://${host}:${port}/`);
    const { id: delivery } = await scratch.client.call(webhookRoutes.test, scratch.at(id));
    const { deliveries } = await attempted(scratch.client, scratch.at(delivery).params, 0);
    const last = deliveries.at(-1);
    if (last?.statusCode === gone) return id;
    throw new StateError(
      'receiver_unreachable',
      `webhook.subscription.disabled needs a receiver that answers 410, and the daemon could not reach the one here on ${host} (${last?.error ?? 'no attempt yet'}). Run this on the daemon's machine, with EARSHOT_OUTBOUND_ALLOW=${host} set for the daemon.`,
    );
  } finally {
    server.close();
    server.closeAllConnections();
  }
}

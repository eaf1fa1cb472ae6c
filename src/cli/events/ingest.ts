/** Signs an event with the project secret and sends it as a platform service would. */
import { type IngestEventDto, ingestRoutes } from '../../contract/ingest/ingest.js';
import { sign } from '../../signing/signing.js';
import { daemonClient } from '../command/daemon-client.js';
import { daemonNow } from '../typed/daemon-clock.js';

export async function signedIngest(
  baseUrl: string,
  billingProjectId: string,
  secret: string,
  event: IngestEventDto,
): Promise<{ id: string }> {
  const timestamp = daemonNow().toISOString();
  const headers = {
    'x-timestamp': timestamp,
    'x-signature': sign(secret, timestamp, JSON.stringify(event)),
    'x-project-id': billingProjectId,
  };
  return daemonClient(baseUrl).call(ingestRoutes.ingest, { headers, body: event });
}

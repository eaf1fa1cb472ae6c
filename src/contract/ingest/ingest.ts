/** Events of platform services, published with the signature of the project secret. */
import { z } from 'zod';
import { FreeData, TimestampInput } from '../common.js';
import { EventType, ingestSources } from '../events.js';
import { defineRoute } from '../route.js';

/** The own timestamp of an ingested event may be ahead of the daemon's clock by this much. */
export const ingestAheadMs = 5 * 60_000;

export const IngestEventDto = z
  .object({
    type: EventType.describe('Type of the event, such as match.ended'),
    resourceId: z.string().min(1).max(200).describe('Id of what it is about'),
    source: z.enum(ingestSources).describe('Platform that sends it'),
    timestamp: TimestampInput.optional().describe('When it happened; at most five minutes ahead. Default: now'),
    data: FreeData.describe('Whatever it says: an object'),
  })
  .meta({ id: 'IngestEventDto' });
export type IngestEventDto = z.infer<typeof IngestEventDto>;

export const ingestRoutes = {
  ingest: defineRoute({
    operationId: 'ingestEvent',
    summary: 'Publish an event of a platform service, signed with the project secret.',
    description:
      'X-Signature is the hex HMAC-SHA256 over X-Timestamp immediately followed by the raw body, keyed with the project secret. X-Project-Id is the billing project id. Types that the daemon itself emits (see getEventSchema) are refused.',
    group: 'Real-time events',
    method: 'post',
    path: '/api/events/ingest',
    auth: ['signature'],
    headers: z.object({
      'x-timestamp': z.string().max(100),
      'x-signature': z.string().max(200),
      'x-project-id': z.string().max(200),
    }),
    body: IngestEventDto,
    success: {
      status: 201,
      body: z.object({ id: z.string().describe('Id of the event') }).meta({ id: 'IngestedEvent' }),
    },
    errors: ['signature_invalid', 'reserved_type', 'rate_limited'],
  }),
};

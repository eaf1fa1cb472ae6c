/** Reads stored payloads. A damaged row stops neither lists nor an erasure. */
import { z } from 'zod';

const WebhookEnvelope = z.looseObject({ type: z.string().optional(), resourceId: z.string(), payload: z.unknown() });
type WebhookEnvelope = z.infer<typeof WebhookEnvelope>;

/** null: it cannot be read. */
export function envelopeOf(stored: string): WebhookEnvelope | null {
  try {
    return WebhookEnvelope.safeParse(JSON.parse(stored)).data ?? null;
  } catch {
    return null;
  }
}

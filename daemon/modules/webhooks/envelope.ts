/** Reads stored payloads. A damaged row stops neither lists nor an erasure. */
import { z } from 'zod';

const Envelope = z.looseObject({ resourceId: z.string(), payload: z.unknown() });
type Envelope = z.infer<typeof Envelope>;

/** null: it cannot be read. */
export function envelopeOf(stored: string): Envelope | null {
  try {
    return Envelope.safeParse(JSON.parse(stored)).data ?? null;
  } catch {
    return null;
  }
}

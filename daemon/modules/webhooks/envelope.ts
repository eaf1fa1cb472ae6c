/** What a stored payload holds. A row that somebody or some fault has damaged stops neither lists nor erasure. */
import { z } from 'zod';

const Envelope = z.looseObject({ resourceId: z.string(), payload: z.unknown() });
export type Envelope = z.infer<typeof Envelope>;

/** null: it cannot be read. */
export function envelopeOf(stored: string): Envelope | null {
  try {
    return Envelope.safeParse(JSON.parse(stored)).data ?? null;
  } catch {
    return null;
  }
}

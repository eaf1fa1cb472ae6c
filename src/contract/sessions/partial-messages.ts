/** Text of people who are still speaking: for streams that ask for it, never stored, and no event of the log. */
import { z } from 'zod';
import { Timestamp } from '../common.js';

/** Name of the frames in a stream. */
export const partialType = 'message.partial';

export const PartialMessage = z
  .object({
    projectId: z.string(),
    sessionId: z.string(),
    roomId: z.string(),
    externalUserId: z.string(),
    senderName: z.string(),
    content: z.string().describe('What was said so far; it may still change. Empty: no message follows'),
    timestamp: Timestamp.describe('When it began to be said'),
    startMs: z.int().describe('Since the bot joined; the message of what was said begins then or later'),
    shadowMuted: z.boolean(),
  })
  .meta({ id: 'PartialMessage' });
export type PartialMessage = z.infer<typeof PartialMessage>;

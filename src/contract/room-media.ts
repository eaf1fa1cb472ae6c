/** Voice of clients with a room token: WHIP and WHEP. Their bodies are SDP, so they are no routes. */
import { z } from 'zod';
import { PathPart, QueryFlag, RoomId } from './common.js';

export const RoomPath = z.object({ roomId: RoomId });
export const RoomStreamQuery = z.object({
  partials: QueryFlag.optional().describe('Also send what people are saying while they say it, as message.partial'),
});
export const RoomResourcePath = RoomPath.extend({
  resourceId: PathPart(100).describe('The last part of the Location of the answer'),
});

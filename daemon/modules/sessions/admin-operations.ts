/** `earshotd speech install`, once something new is there. */
import { z } from 'zod';
import { type AdminHandler, handlerOf } from '../../platform/admin-operation.js';

export const lookForSpeech = {
  name: 'speech.look',
  input: z.object({}),
  output: z.object({ engine: z.string().nullable().describe('What recognises now; null: nothing has had to yet') }),
};

export const speechOperations = (sessions: { lookForSpeech(): Promise<string | null> }): AdminHandler[] => [
  handlerOf(lookForSpeech, async () => ({ engine: await sessions.lookForSpeech() })),
];

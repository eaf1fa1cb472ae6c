/** `earshotd speech install`, once something new is there. */
import { z } from 'zod';
import { defineOperation } from './operation.js';

export const lookForSpeech = defineOperation({
  name: 'speech.look',
  input: z.object({}),
  output: z.object({ engine: z.string().nullable().describe('What recognises now; null: nothing has had to yet') }),
  run: async ({ lookForSpeech: look }) => ({ engine: (await look?.()) ?? null }),
});

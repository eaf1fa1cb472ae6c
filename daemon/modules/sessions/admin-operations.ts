/** `earshotd speech install`, once something new is there. */
import { z } from 'zod';
import { type AdminHandler, handlerOf } from '../../platform/admin-operation.js';

export const lookForSpeech = {
  name: 'speech.look',
  input: z.object({}),
  output: z.object({ engine: z.string().nullable().describe('The recogniser in use; null: none was needed yet') }),
};

export const speechOperations = (bots: {
  /** Looks for a recogniser where none was found before; the name of the active one, or null. */
  lookForSpeech(): Promise<string | null>;
}): AdminHandler[] => [handlerOf(lookForSpeech, async () => ({ engine: await bots.lookForSpeech() }))];

/** Access that a person or a key gave to others: it goes on when they lose theirs. */
import { z } from 'zod';

export const MadeAccess = z
  .object({
    kind: z
      .enum(['apiKey', 'invitation', 'member'])
      .describe('apiKey: a key; invitation: one that is open; member: somebody who accepted one'),
    id: z.string().describe('Key, or permission id'),
    name: z.string().describe('Name of the key, or e-mail address'),
    projectId: z.string().nullable().describe('Project that it is for; null: every project of the tenant'),
    withdrawn: z.boolean().describe('True if this request has ended it; false: it goes on'),
  })
  .meta({ id: 'MadeAccess' });
export type MadeAccess = z.infer<typeof MadeAccess>;

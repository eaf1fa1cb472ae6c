/** `earshotd rotate-key` and `earshotd key export`. */
import { z } from 'zod';
import { RingFile } from '../platform/secrets/key-ring.js';
import { defineOperation } from './operation.js';

export const rotateKey = defineOperation({
  name: 'rotate-key',
  input: z.object({}),
  output: z.object({
    masterKeyId: z.string().describe('The key in force now'),
    dataKeys: z.int().describe('How many keys it wraps that another one wrapped before'),
  }),
  run: ({ box }) => box.rotateMasterKey(),
});

export const exportKeys = defineOperation({
  name: 'key.export',
  input: z.object({}),
  output: RingFile,
  run: async ({ ring }) => ring.export(),
});

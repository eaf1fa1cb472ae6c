/** `earshotd rotate-key` and `earshotd key export`. */
import { z } from 'zod';
import { type AdminHandler, handlerOf } from '../admin-operation.js';
import { type KeyRing, RingFile } from './key-ring.js';
import type { SecretBox } from './secret-box.js';

export const rotateKey = {
  name: 'rotate-key',
  input: z.object({}),
  output: z.object({
    masterKeyId: z.string().describe('The key in force now'),
    dataKeys: z.int().describe('Number of keys rewrapped from another master key'),
  }),
};

export const exportKeys = { name: 'key.export', input: z.object({}), output: RingFile };

export const keyOperations = ({ box, ring }: { box: SecretBox; ring: KeyRing }): AdminHandler[] => [
  handlerOf(rotateKey, () => box.rotateMasterKey()),
  handlerOf(exportKeys, async () => ring.export()),
];

/** `earshotd rotate-key`, `earshotd key export` and `earshotd key renew`. */
import { z } from 'zod';
import { type AdminHandler, handlerOf } from '../admin-operation.js';
import type { Database } from '../database/database.js';
import { type KeyRing, RingFile } from './key-ring.js';
import type { SecretBox } from './secret-box.js';
import { forgetInstallationKeys } from './stores.js';

export const rotateKey = {
  name: 'rotate-key',
  input: z.object({}),
  output: z.object({
    masterKeyId: z.string().describe('The key in force now'),
    dataKeys: z.int().describe('Number of keys rewrapped from another master key'),
  }),
};

export const exportKeys = { name: 'key.export', input: z.object({}), output: RingFile };

/** Signing keys whose successors are made at the next start, with what ends then. */
export const renewedKeys = {
  'user-tokens': 'logins of people',
  'console-cookies': 'console sessions',
  'login-codes': 'codes sent by email',
  'player-tokens': 'access tokens of players',
  'room-tokens': 'room tokens',
  'standing-codes': 'codes by which people read their standing',
  'receipt-codes': 'codes by which reporters read their receipts',
} as const;
type RenewedKey = keyof typeof renewedKeys;
export const isRenewedKey = (name: string): name is RenewedKey => Object.hasOwn(renewedKeys, name);

export const renewSigningKeys = {
  name: 'key.renew',
  input: z.object({ names: z.array(z.string().refine(isRenewedKey)).min(1) }),
  output: z.object({}),
};

interface Keys {
  readonly box: SecretBox;
  readonly ring: KeyRing;
  readonly database: Database;
}

export const keyOperations = ({ box, ring, database }: Keys): AdminHandler[] => [
  handlerOf(rotateKey, () => box.rotateMasterKey()),
  handlerOf(exportKeys, async () => ring.export()),
  handlerOf(renewSigningKeys, async ({ names }) => {
    await forgetInstallationKeys(database, names);
    return {};
  }),
];

/** Every operation that the control socket knows. */
import {
  createTenant,
  createUser,
  listTenants,
  resetPassword,
  setTenantDisabled,
  setUserDisabled,
} from './account-operations.js';
import { exportKeys, rotateKey } from './key-operations.js';
import type { Operation } from './operation.js';
import { lookForSpeech } from './speech-operations.js';

export const operations: readonly Operation[] = [
  createUser,
  resetPassword,
  setUserDisabled,
  createTenant,
  listTenants,
  setTenantDisabled,
  rotateKey,
  exportKeys,
  lookForSpeech,
];

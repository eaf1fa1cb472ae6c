/** The player whom a token names, in the app of the path. */
import { DomainError } from '../../../src/contract/errors.js';
import type { PlayerCaller } from '../../platform/http/caller.js';
import type { PlayerKey } from './player-key.js';

/** Throws unknown_app: a token opens its own app alone. */
export const playerIn = ({ projectId, externalUserId }: PlayerCaller, appId: string): PlayerKey => {
  if (appId !== projectId) throw new DomainError('unknown_app');
  return { projectId, userId: externalUserId };
};

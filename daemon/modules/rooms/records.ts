import type { Platform } from '../../platform/platform.js';
import { BlockStore } from './blocks/store.js';
import { RoomRestrictionReader } from './restrictions/restrictions.js';
import { RestrictionStore } from './restrictions/store.js';
import { RoomTokenLedger } from './tokens/ledger-store.js';

export async function roomRecords({ database, signingKey, now }: Pick<Platform, 'database' | 'signingKey' | 'now'>) {
  const restrictions = new RestrictionStore(database);
  const tokenKey = await signingKey('room-tokens');
  return {
    blocks: new BlockStore(database),
    restrictions,
    restricted: new RoomRestrictionReader(restrictions, now),
    tokenKey,
    ledger: new RoomTokenLedger(database, tokenKey, now),
  };
}

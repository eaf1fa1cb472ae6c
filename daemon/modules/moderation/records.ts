import type { Platform } from '../../platform/platform.js';
import { ResourceCodes } from '../../platform/secrets/resource-codes.js';
import type { sessionRecords } from '../sessions/records.js';
import { ReviewStore } from './reviews/store.js';
import { ErasedBans } from './sanctions/erased-ban-store.js';
import { PolicyReader } from './sanctions/policy-reader.js';
import { RankedRestrictions } from './sanctions/ranked-restriction-store.js';
import { SanctionStore } from './sanctions/store.js';
import { SanctionsTakenBack } from './sanctions/taken-back.js';

interface BeforeModeration {
  readonly sessions: Pick<ReturnType<typeof sessionRecords>, 'directory'>;
}

export type ModerationRecords = Awaited<ReturnType<typeof moderationRecords>>;

export async function moderationRecords(
  { database, signingKey, publicUrl, now }: Pick<Platform, 'database' | 'signingKey' | 'publicUrl' | 'now'>,
  { sessions }: BeforeModeration,
) {
  const store = new SanctionStore(database);
  const reviews = new ReviewStore(database);
  const erasedBans = new ErasedBans(database, await signingKey('erased-bans'));
  const standingCodes = new ResourceCodes(await signingKey('standing-codes'));
  const standingUrl = (id: string): string => `${publicUrl()}/standing/${standingCodes.codeOf(id)}`;
  return {
    store,
    erasedBans,
    standingCodes,
    standingUrl,
    reviews,
    takenBack: new SanctionsTakenBack(store, reviews),
    rankedRestrictions: new RankedRestrictions(database, now),
    policies: new PolicyReader(store, erasedBans, sessions.directory, standingUrl, now),
  };
}

import type { Platform } from '../../platform/platform.js';
import type { sessionRecords } from '../sessions/records.js';
import { ReviewStore } from './reviews/store.js';
import { ErasedBans } from './sanctions/erased-ban-store.js';
import { PolicyReader } from './sanctions/policy-reader.js';
import { RankedRestrictions } from './sanctions/ranked-restriction-store.js';
import { SanctionStore } from './sanctions/store.js';
import { SanctionsTakenBack } from './sanctions/taken-back.js';
import { StandingCodes } from './standing/codes.js';

interface BeforeModeration {
  readonly sessions: Pick<ReturnType<typeof sessionRecords>, 'directory'>;
}

export type ModerationRecords = Awaited<ReturnType<typeof moderationRecords>>;

export async function moderationRecords(
  { database, signingKey, now }: Pick<Platform, 'database' | 'signingKey' | 'now'>,
  { sessions }: BeforeModeration,
) {
  const store = new SanctionStore(database);
  const reviews = new ReviewStore(database);
  const erasedBans = new ErasedBans(database, await signingKey('erased-bans'));
  return {
    store,
    erasedBans,
    standingCodes: new StandingCodes(await signingKey('standing-codes')),
    reviews,
    takenBack: new SanctionsTakenBack(store, reviews),
    rankedRestrictions: new RankedRestrictions(database, now),
    policies: new PolicyReader(store, erasedBans, sessions.directory, now),
  };
}

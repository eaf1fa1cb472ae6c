import type { Platform } from '../../platform/platform.js';
import { InvitationStore } from './invitation-store.js';
import { MemberStore } from './member-store.js';
import { GatheringStore } from './store.js';

export const gatheringRecords = ({ database }: Pick<Platform, 'database'>) => ({
  gatherings: new GatheringStore(database),
  members: new MemberStore(database),
  invitations: new InvitationStore(database),
});

/** Who may read what moderators write for each other. */
import { atLeast } from '../../../src/contract/route.js';
import { opens, type ScopeName } from '../../../src/contract/scopes.js';
import type { Member, ProjectGrant } from './caller.js';

/** A moderator of the project, or a key that may do what moderators do: reading alone is not enough. */
export const isModerator = (caller: Member, { role }: ProjectGrant, scope: ScopeName): boolean =>
  atLeast(role, 'moderator') && (caller.kind === 'user' || opens(caller.scopes, scope));

/**
 * Rights of the owners of streams now. Each check of open streams reads them again, so between two checks another
 * stream of the same owner opens without a query.
 */
import { Remembered } from '../../platform/database/remembered.js';
import { hasScope } from '../../platform/http/authorisation.js';
import type { Member } from '../../platform/http/caller.js';
import { type Reach, reachKey } from './filter.js';
import { checkMs } from './limits.js';

/** Rights of a caller now; null when the credential or the role is no longer valid. */
export interface Readership {
  reach(caller: Member, projectId: string | null): Promise<Reach | null>;
}

interface Credentials {
  /** The current state of the caller; null when the credential is no longer valid. */
  current(caller: Member): Promise<Member | null>;
}

interface ProjectReach {
  reach(caller: Member, projectId: string | null): Promise<Omit<Reach, 'audit'> | null>;
}

/** Entries of the audit log are shown to users, and to keys that may read them. */
export const readershipOf = (credentials: Credentials, projects: ProjectReach): Readership => ({
  reach: async (caller, projectId) => {
    const current = await credentials.current(caller);
    const reach = current === null ? null : await projects.reach(current, projectId);
    if (current === null || reach === null) return null;
    return { ...reach, audit: hasScope(current, 'audit:read') };
  },
});

/** Owner of a stream. */
export interface StreamOwner {
  readonly caller: Member;
  /** null: every project of the tenant that the caller may read. */
  readonly projectId: string | null;
}

/** `key` is the same for equal reaches. */
export interface Permission {
  readonly reach: Reach;
  readonly key: string;
}

/** Returns a key that is equal for owners who may read the same at any time. */
export const ownerKey = ({ caller, projectId }: StreamOwner): string => `${caller.credentialId} ${projectId}`;

export class Permissions {
  private readonly known: Remembered<Permission, StreamOwner>;

  constructor(readership: Readership) {
    const read = async ({ caller, projectId }: StreamOwner): Promise<Permission | null> => {
      const reach = await readership.reach(caller, projectId);
      return reach === null ? null : { reach, key: reachKey(reach) };
    };
    this.known = new Remembered(read, { keyOf: ownerKey, keepMs: checkMs });
  }

  /**
   * For a new stream: not older than the last check. For a stream of all projects the list is read each time, because a
   * project that was shared a moment ago belongs to it.
   */
  ofNew(owner: StreamOwner): Promise<Permission | null> {
    return owner.projectId === null ? this.known.renew(owner) : this.known.get(owner);
  }

  /** The answer of now. */
  check(owner: StreamOwner): Promise<Permission | null> {
    return this.known.renew(owner);
  }
}

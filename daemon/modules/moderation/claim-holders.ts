/** Tells which claims of reviews and cases have ended because whoever made them cannot moderate any more. */
import { atLeast } from '../../../src/contract/route.js';
import type { AccountDirectory } from '../identity/directory.js';
import type { Access } from '../projects/access.js';

/** Accounts and keys whose claims have ended with their access. */
export type GoneHolders = ReadonlySet<string>;
export const nobodyGone: GoneHolders = new Set();

export class ClaimHolders {
  constructor(
    private readonly accounts: Pick<AccountDirectory, 'member'>,
    private readonly access: Pick<Access, 'grant'>,
  ) {}

  /** Returns the account or key if it is no moderator of the project any more; null: it is one, or there is none. */
  async gone(projectId: string, holderId: string | null): Promise<string | null> {
    if (holderId === null) return null;
    const member = await this.accounts.member(holderId);
    const grant = member === null ? null : await this.access.grant(member, projectId);
    return grant !== null && atLeast(grant.role, 'moderator') ? null : holderId;
  }

  /** Returns those of the accounts and keys that are no moderators of the project any more. */
  async goneAmong(projectId: string, holderIds: readonly string[]): Promise<GoneHolders> {
    const gone = await Promise.all(holderIds.map((id) => this.gone(projectId, id)));
    return new Set(gone.filter((id) => id !== null));
  }
}

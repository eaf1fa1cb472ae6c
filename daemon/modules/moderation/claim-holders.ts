/** Tells which claims of reviews and cases have ended because whoever made them cannot moderate any more. */
import { atLeast } from '../../../src/contract/route.js';
import type { AccountDirectory } from '../identity/directory.js';
import type { Access } from '../projects/access.js';

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
}

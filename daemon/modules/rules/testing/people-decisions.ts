/** Reads how people decided about sanctions, for rules that are compared with them. */
import type { HumanDecision } from '../../../../src/contract/rules/rule-tests.js';
import type { ProjectGrant } from '../../../platform/http/caller.js';
import type { AccountDirectory } from '../../identity/directory.js';
import type { HumanDecisions } from '../../moderation/sanctions/human-decisions.js';
import type { SpokenEvidence } from '../../sessions/evidence.js';

export class PeopleDecisions {
  constructor(
    private readonly accounts: Pick<AccountDirectory, 'people'>,
    private readonly decisions: Pick<HumanDecisions, 'about'>,
    private readonly evidence: Pick<SpokenEvidence, 'sessionOf'>,
  ) {}

  /** Returns the decisions about sanctions that were created in this time for something said in a session. */
  async within(
    { projectId, tenantId }: Pick<ProjectGrant, 'projectId' | 'tenantId'>,
    span: { readonly after: Date; readonly until: Date },
  ): Promise<HumanDecision[]> {
    const found: HumanDecision[] = [];
    const peopleOf = (ids: readonly string[]) => this.accounts.people(tenantId, ids);
    for (const { sanction, stands, at } of await this.decisions.about(projectId, span, peopleOf)) {
      const { externalUserId, evidence, createdAt: before } = sanction;
      const asked = { messageIds: evidence?.messageIds ?? [], externalUserId, before };
      const sessionId = sanction.sessionId ?? (await this.evidence.sessionOf(projectId, asked));
      if (sessionId !== null) found.push({ externalUserId, sessionId, sanctioned: stands, at: at.toISOString() });
    }
    return found;
  }
}

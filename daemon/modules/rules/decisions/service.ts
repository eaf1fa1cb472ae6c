/** Decisions as people read them: listed, decided again, and as the evidence of a sanction. */
import { isDeepStrictEqual } from 'node:util';
import { DomainError } from '../../../../src/contract/errors.js';
import type { Review } from '../../../../src/contract/moderation/reviews.js';
import type { RuleDecision, RuleReplay, SanctionChain } from '../../../../src/contract/rules/rule-decisions.js';
import type { RuleDefinition } from '../../../../src/contract/rules/rule-definition.js';
import type { RuleVersion } from '../../../../src/contract/rules/rules.js';
import type { RowPage } from '../../../platform/database/row-page.js';
import type { ReviewService } from '../../moderation/reviews/service.js';
import type { SanctionService } from '../../moderation/sanctions/service.js';
import type { SpokenEvidence } from '../../sessions/evidence.js';
import type { Said } from '../judging/conditions.js';
import { asksFor, decide } from '../judging/decide.js';
import { RulePhrases } from '../judging/phrases.js';
import { type RuleStore, toVersion } from '../resource/rule-store.js';
import { type DecisionFilter, type DecisionStore, toDecision } from './decision-store.js';

interface DecisionNeeds {
  readonly evidence: Pick<SpokenEvidence, 'named'>;
  readonly sanctions: Pick<SanctionService, 'find'>;
  readonly reviews: Pick<ReviewService, 'list'>;
}

/** Permissions of the caller to read a sanction's evidence. */
interface EvidenceReader {
  readonly moderator: boolean;
  readonly words: boolean;
  /** True if decisions of rules and of reviews may be read. */
  readonly decisions: boolean;
}

const personGone = 'the person was erased, and the facts of the decision with them';
const wordsGone =
  'the message is no longer stored: it was older than the retention of transcripts, or its session was deleted';
const decisionGone = 'the decision is older than the retention of decisions';
const ruleGone = 'the rule is no longer stored';
const versionGone = 'the version of the rule is no longer stored';

/** Reviews of one sanction that are shown. */
const reviewsMax = 20;

export class RuleDecisions {
  constructor(
    private readonly decisions: DecisionStore,
    private readonly rules: RuleStore,
    private readonly needs: DecisionNeeds,
  ) {}

  async list(projectId: string, query: DecisionFilter & RowPage) {
    const { limit, offset, after, ...filter } = query;
    const [rows, total] = await Promise.all([
      this.decisions.list(projectId, filter, { limit, offset, after }),
      this.decisions.count(projectId, filter),
    ]);
    return { decisions: rows.map(toDecision), total, limit, offset };
  }

  /** Throws rule_decision_not_found. */
  async get(projectId: string, id: string): Promise<RuleDecision> {
    const row = await this.decisions.find(projectId, id);
    if (row === null) throw new DomainError('rule_decision_not_found');
    return toDecision(row);
  }

  /** Throws rule_decision_not_found. */
  async replay(projectId: string, id: string): Promise<RuleReplay> {
    const { ruleId, version, facts, verdict } = await this.get(projectId, id);
    const gone = (what: string): RuleReplay => ({ decisionId: id, identical: null, gone: [what], verdict: null });
    if (facts === null) return gone(personGone);
    const found = await this.version(ruleId, version);
    if (found === null) return gone(ruleGone);
    const again = decide(found.definition, facts, await this.said(projectId, found.definition, facts.messageId));
    if (again === null) return gone(wordsGone);
    return { decisionId: id, identical: isDeepStrictEqual(again, verdict), gone: [], verdict: again };
  }

  /** Throws sanction_not_found. */
  async chain(projectId: string, sanctionId: string, reader: EvidenceReader): Promise<SanctionChain> {
    const sanction = await this.needs.sanctions.find(projectId, sanctionId, reader);
    if (sanction === null) throw new DomainError('sanction_not_found');
    const { ruleId, ruleVersion, messageIds = [] } = sanction.evidence ?? {};
    const rule = ruleId === undefined ? null : await this.rules.findEver(projectId, ruleId);
    const decided = await this.decisions.imposing(projectId, sanctionId);
    const decision = decided === null ? null : toDecision(decided);
    const isAutomatic = rule !== null && sanction.createdByUserId === null;
    const messages = reader.words ? await this.needs.evidence.named(projectId, messageIds) : [];
    const version = rule === null || ruleVersion === undefined ? null : await this.version(rule.id, ruleVersion);
    return {
      sanction,
      rule: rule === null ? null : { id: rule.id, name: rule.name, deleted: rule.deletedAt !== null },
      version,
      decision: reader.decisions ? decision : null,
      messages,
      reviews: reader.decisions ? await this.reviewsOf(projectId, sanctionId) : [],
      gone: [
        ...(isAutomatic && decision === null ? [decisionGone] : []),
        ...(rule !== null && ruleVersion !== undefined && version === null ? [versionGone] : []),
        ...(reader.words && messages.length < messageIds.length ? [wordsGone] : []),
      ],
    };
  }

  /** null: the message is not kept any more. */
  private async said(projectId: string, definition: RuleDefinition, messageId: string): Promise<Said | null> {
    const [message] = asksFor(definition).words ? await this.needs.evidence.named(projectId, [messageId]) : [];
    if (message === undefined) return null;
    return (await RulePhrases.compile([{ ruleId: '', definition }])).read(message.content)('');
  }

  private async version(ruleId: string, version: number): Promise<RuleVersion | null> {
    const row = await this.rules.version(ruleId, version);
    return row === null ? null : toVersion(row);
  }

  private async reviewsOf(projectId: string, sanctionId: string): Promise<Review[]> {
    const query = { sanctionId, limit: reviewsMax, offset: 0 };
    return (await this.needs.reviews.list(projectId, { notes: false }, query)).reviews;
  }
}

import { ProjectCommand } from '../../src/cli/command.js';
import { table } from '../../src/cli/output.js';
import { choose } from '../../src/cli/secrets.js';
import { NotUnderstood } from '../../src/cli/times.js';
import { type ReviewDetail, reviewRoutes, type UpdateReviewRequest } from '../../src/contract/moderation/reviews.js';
import { harmless } from '../../src/printable.js';

const moves = [
  { id: 'uphold', says: 'Uphold: the sanction stays' },
  { id: 'overturn', says: 'Overturn: the sanction is taken back' },
  { id: 'release', says: 'Give it back for somebody else' },
  { id: 'leave', says: 'Keep it claimed and stop here' },
] as const;
const changeOf: Readonly<Record<'uphold' | 'overturn' | 'release', UpdateReviewRequest>> = {
  uphold: { status: 'decided', decision: 'upheld' },
  overturn: { status: 'decided', decision: 'overturned' },
  release: { status: 'open' },
};

export default class ReviewsNext extends ProjectCommand {
  static override summary = 'Claim the review that has waited longest, show it, and ask for the decision.';
  static override description =
    'Goes on with the next one until none is open. Without a terminal it claims and shows one.';
  static override examples = ['<%= config.bin %> <%= command.id %>'];

  async run(): Promise<void> {
    await this.input(ReviewsNext);
    for (let walked = 0; ; walked += 1) {
      const review = await this.claim();
      if (review === null) {
        if (walked === 0) throw new NotUnderstood('No review is open.');
        this.logToStderr('No review is open any more.');
        return;
      }
      this.tell(review);
      if (process.stdin.isTTY !== true || process.stderr.isTTY !== true || this.common.json === true) return;
      const chosen = await choose('What now?', moves);
      const move = moves.find(({ id }) => id === chosen)?.id ?? 'leave';
      if (move === 'leave') return;
      await this.client.call(reviewRoutes.update, { params: await this.of(review.id), body: changeOf[move] });
      if (move === 'release') return;
    }
  }

  private async of(id: string) {
    return { projectId: await this.projectId(), id };
  }

  /** The oldest open one. Somebody else may claim it first: then the one behind it. */
  private async claim(): Promise<ReviewDetail | null> {
    const params = { projectId: await this.projectId() };
    const { reviews } = await this.client.call(reviewRoutes.list, { params, query: { status: 'open' } });
    for (const { id } of reviews) {
      const body = { status: 'claimed' } as const;
      const claimed = await this.client
        .call(reviewRoutes.update, { params: { ...params, id }, body })
        .catch((error: unknown) => {
          if (error instanceof Error && 'code' in error && error.code === 'review_claimed') return null;
          throw error;
        });
      if (claimed !== null) return this.client.call(reviewRoutes.get, { params: { ...params, id } });
    }
    return null;
  }

  private tell(review: ReviewDetail): void {
    if (this.common.json === true) {
      this.show(review);
      return;
    }
    const { kind, statement, sanction, messages, transcript, consequences } = review;
    this.show({ ...review, says: statement }, ['id', 'kind', 'externalUserId', 'says', 'createdAt']);
    if (sanction !== null)
      this.log(
        `\n${kind === 'appeal' ? 'Appealed' : 'Asked for by'}: ${harmless(`${sanction.type}, ${sanction.reason ?? 'no reason'}, ${sanction.status}`)}`,
      );
    const said = transcript.length > 0 ? transcript : messages;
    if (said.length > 0) this.log(`\n${table(said, ['timestamp', 'senderName', 'content'], this.screen)}`);
    if (consequences.length > 0)
      this.log(`\n${table(consequences, ['type', 'status', 'reason', 'endAt'], this.screen)}`);
  }
}

import { ProjectCommand } from '../../src/cli/command.js';
import { stated } from '../../src/cli/fields.js';
import { keyOf } from '../../src/cli/live/keyboard.js';
import { table } from '../../src/cli/output.js';
import { ask, canAsk } from '../../src/cli/secrets.js';
import { NotUnderstood } from '../../src/cli/times.js';
import { pageLimitMax } from '../../src/contract/common.js';
import { type ReviewDetail, reviewRoutes, type UpdateReviewRequest } from '../../src/contract/moderation/reviews.js';
import { harmless } from '../../src/printable.js';

const moves = {
  u: { status: 'decided', decision: 'upheld' },
  o: { status: 'decided', decision: 'overturned' },
  r: { status: 'open' },
} as const satisfies Record<string, UpdateReviewRequest>;
const isMove = (key: string): key is keyof typeof moves => key in moves;
const keys = [...Object.keys(moves), 'n', 'q'];
const keysLine =
  'u uphold: the sanction stays   o overturn: it is taken back   r give it back   n note first   q keep it and stop';

export default class ReviewsNext extends ProjectCommand {
  static override summary = 'Claim the review that has waited longest, show it, and decide it with a single key.';
  static override description =
    'Goes on with the next one until none is open. Without a terminal it claims and shows one.';
  static override examples = ['<%= config.bin %> <%= command.id %>'];

  /** Given back in this walk: they are for somebody else. */
  private readonly released = new Set<string>();

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
      if (!canAsk() || this.common.json === true) return;
      const change = await this.asked();
      if (change === null) return;
      if (change.status === 'open') this.released.add(review.id);
      const { status, decision } = await this.client.call(reviewRoutes.update, {
        params: await this.of(review.id),
        body: change,
      });
      this.logToStderr(decision ?? status);
    }
  }

  /** null: the review stays claimed, and nothing more is asked. */
  private async asked(): Promise<UpdateReviewRequest | null> {
    let note: string | undefined;
    for (;;) {
      this.logToStderr(`\n${keysLine}`);
      const key = await keyOf(keys);
      if (isMove(key)) return { ...moves[key], ...stated({ note }) };
      if (key === 'q') return null;
      note = await ask('Note, for moderators', 'reviews uphold --note');
    }
  }

  private async of(id: string) {
    return { projectId: await this.projectId(), id };
  }

  /** The oldest open one. Somebody else may claim it first: then the one behind it. */
  private async claim(): Promise<ReviewDetail | null> {
    const params = { projectId: await this.projectId() };
    const { reviews } = await this.client.call(reviewRoutes.list, {
      params,
      query: { status: 'open', limit: pageLimitMax },
    });
    for (const { id } of reviews.filter((one) => !this.released.has(one.id))) {
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

import { ProjectCommand } from '../../src/cli/command/command.js';
import { noneFor } from '../../src/cli/moderation/none-for.js';
import { reviewView } from '../../src/cli/moderation/review-view.js';
import { CaseQueue } from '../../src/cli/moderation/review-walk/case-queue.js';
import { ReviewWalk } from '../../src/cli/moderation/review-walk/review-walk.js';
import { walkThrough } from '../../src/cli/terminal/live/walk.js';

export default class ReviewsNext extends ProjectCommand {
  static override summary = 'Claim the review that has waited longest, and decide it with a single key.';
  static override description =
    'Keys: s upholds the sanction, f does so and says that the appeal is manifestly unfounded, o overturns it, u undoes your last decision, r releases the case, n adds a note. Goes on with the next case until none is open. Without a terminal, it claims and shows one case.';
  static override examples = ['<%= config.bin %> <%= command.id %>'];

  async run(): Promise<void> {
    await this.input(ReviewsNext);
    const queue = new CaseQueue(this.client, await this.projectId());
    const { next, waiting } = await queue.claim();
    if (next === null) throw noneFor('review', waiting);
    const isLive = process.stdout.isTTY === true && process.stdin.isTTY === true;
    if (this.common.json === true) this.show(next.review);
    else if (isLive)
      for (const line of await walkThrough((on) => new ReviewWalk(queue, next, waiting, on))) this.logToStderr(line);
    else this.log(reviewView(next.review, next.context, this.screen));
  }
}

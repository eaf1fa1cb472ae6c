import { ProjectCommand } from '../../src/cli/command/command.js';
import { whoOf } from '../../src/cli/moderation/sanction-rows.js';
import { nameArgument } from '../../src/cli/names/kinds.js';
import { namedRecord } from '../../src/cli/names/moderators.js';
import { annotationLabel } from '../../src/client/annotation-label.js';
import { reviewRoutes } from '../../src/contract/moderation/reviews.js';
import { harmless } from '../../src/text/printable.js';

export default class ReviewsGet extends ProjectCommand {
  static override summary = reviewRoutes.get.summary;
  static override examples = ['<%= config.bin %> <%= command.id %> REVIEW'];
  static override args = { review: nameArgument('review') };

  async run(): Promise<void> {
    const { args } = await this.input(ReviewsGet);
    const params = { projectId: await this.projectId(), id: args.review };
    const {
      sanction,
      consequences,
      messages,
      transcript,
      case: decided,
      told,
      ...review
    } = await this.client.call(reviewRoutes.get, {
      params,
    });
    if (this.common.json === true)
      return this.show({ ...review, sanction, told, case: decided, consequences, messages, transcript });
    const { externalUserId, id, ...fields } = review;
    const who = sanction === null ? externalUserId : whoOf(sanction);
    this.show({ who, ...(await namedRecord(this.client, params.projectId, fields)), id });
    this.part('The sanction', sanction === null ? [] : [sanction], ['type', 'status', 'endAt', 'reason', 'note', 'id']);
    if (told !== null) this.log(`\nWhat the person was told\n${harmless(told.title)}\n${harmless(told.text)}`);
    if (decided !== null) {
      const { reports, ...rest } = decided;
      this.part('The case', [rest], ['category', 'reasonCode', 'note', 'decidedAt', 'id']);
      this.part('Reports', reports, ['category', 'words', 'reporterUserId', 'createdAt', 'id']);
    }
    this.part('Result', consequences, ['type', 'status', 'reason', 'id']);
    const named = new Set(messages.map(({ id }) => id));
    const lines = transcript.map(({ annotations = [], ...line }) => ({
      ...line,
      evidence: named.has(line.id) ? '>' : '',
      annotations: annotations.map(annotationLabel),
    }));
    this.part('The minute around it', lines, ['evidence', 'timestamp', 'senderName', 'content', 'annotations']);
  }

  private part(title: string, rows: readonly object[], columns: readonly string[]): void {
    if (rows.length === 0) return;
    this.log(`\n${title}`);
    this.list(rows, rows, columns);
  }
}

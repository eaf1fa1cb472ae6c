import { Args } from '@oclif/core';
import { ProjectCommand } from '../../src/cli/command.js';
import { sanctionRoutes } from '../../src/contract/sanctions.js';

export default class SanctionsHistory extends ProjectCommand {
  static override summary = sanctionRoutes.ofUser.summary;
  static override examples = ['<%= config.bin %> <%= command.id %> u_42'];
  static override args = { user: Args.string({ required: true, description: 'External user id' }) };

  async run(): Promise<void> {
    const { args } = await this.input();
    const answer = await this.client.call(sanctionRoutes.ofUser, {
      params: { projectId: await this.projectId(), externalUserId: args.user ?? '' },
    });
    this.list(answer, answer, ['id', 'type', 'status', 'startAt', 'endAt', 'reason', 'revokeReason']);
  }
}

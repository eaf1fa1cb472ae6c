import { Args } from '@oclif/core';
import { ProjectCommand } from '../../src/cli/command.js';
import { sessionRoutes } from '../../src/contract/sessions/sessions.js';

export default class SessionsStart extends ProjectCommand {
  static override summary = sessionRoutes.start.summary;
  static override examples = ['<%= config.bin %> <%= command.id %> SESSION'];
  static override args = { id: Args.string({ required: true, description: 'Session id' }) };

  async run(): Promise<void> {
    const { args } = await this.input(SessionsStart);
    this.show(
      await this.client.call(sessionRoutes.start, { params: { projectId: await this.projectId(), id: args.id } }),
    );
  }
}

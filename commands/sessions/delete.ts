import { Args } from '@oclif/core';
import { ProjectCommand } from '../../src/cli/command.js';
import { sessionRoutes } from '../../src/contract/sessions/sessions.js';

export default class SessionsDelete extends ProjectCommand {
  static override summary = sessionRoutes.remove.summary;
  static override examples = ['<%= config.bin %> <%= command.id %> SESSION'];
  static override args = { id: Args.string({ required: true, description: 'Session id' }) };

  async run(): Promise<void> {
    const { args } = await this.input(SessionsDelete);
    await this.client.call(sessionRoutes.remove, { params: { projectId: await this.projectId(), id: args.id } });
    this.logToStderr('The session and its transcript are deleted.');
  }
}

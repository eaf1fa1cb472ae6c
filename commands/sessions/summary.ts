import * as Flags from '@oclif/core/flags';
import { ProjectCommand } from '../../src/cli/command/command.js';
import { nameArgument } from '../../src/cli/names/kinds.js';
import { annotationRoutes } from '../../src/contract/plugins/annotations.js';
import { sessionActionRoutes } from '../../src/contract/plugins/session-actions.js';

export default class SessionsSummary extends ProjectCommand {
  static override summary = 'Show the summary of a session, or have a new one written.';
  static override examples = [
    '<%= config.bin %> <%= command.id %> SESSION',
    '<%= config.bin %> <%= command.id %> SESSION --regenerate',
  ];
  static override args = { session: nameArgument('session') };
  static override flags = {
    regenerate: Flags.boolean({
      description: 'Delete the summary and have a new one written, with the current settings',
    }),
  };

  async run(): Promise<void> {
    const { args, flags } = await this.input(SessionsSummary);
    if (flags.regenerate === true) {
      const params = { projectId: await this.projectId(), id: args.session };
      return this.show(await this.client.call(sessionActionRoutes.regenerateSummary, { params }));
    }
    const all = await this.client.call(annotationRoutes.ofSession, { params: { sessionId: args.session } });
    const [summary] = all.filter(({ type }) => type === 'summary');
    if (this.common.json === true) this.printJson(summary ?? null);
    else if (summary === undefined) this.logToStderr('There is no summary. `sessions actions` shows why.');
    else this.show(summary.content, ['text', 'by', 'lines']);
  }
}

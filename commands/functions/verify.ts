import { ProjectCommand } from '../../src/cli/command/command.js';
import { functionRoutes } from '../../src/contract/functions/functions.js';

export default class FunctionsVerify extends ProjectCommand {
  static override summary = functionRoutes.verify.summary;
  static override description = 'The exit code is 1 when they are not.';
  static override examples = ['<%= config.bin %> <%= command.id %>'];

  async run(): Promise<void> {
    await this.input(FunctionsVerify);
    const answer = await this.client.call(functionRoutes.verify, { params: { projectId: await this.projectId() } });
    this.show(answer);
    if (!answer.valid) this.checkFailed();
  }
}

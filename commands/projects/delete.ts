import { Args, Flags } from '@oclif/core';
import { EarshotCommand } from '../../src/cli/command.js';
import { ask } from '../../src/cli/secrets.js';
import { NotUnderstood } from '../../src/cli/times.js';
import { projectRoutes } from '../../src/contract/projects/projects.js';
import { harmless } from '../../src/printable.js';

export default class ProjectsDelete extends EarshotCommand {
  static override summary = projectRoutes.remove.summary;
  static override examples = ['<%= config.bin %> <%= command.id %> PROJECT --yes'];
  static override args = { id: Args.string({ required: true, description: 'Project id' }) };
  static override flags = { yes: Flags.boolean({ description: 'Do not ask; there is no way back' }) };

  async run(): Promise<void> {
    const { args, flags } = await this.input(ProjectsDelete);
    const projectId = args.id;
    if (flags.yes !== true) await this.confirm(projectId);
    const answer = await this.client.call(projectRoutes.remove, { params: { projectId } });
    if (this.common.json === true) this.show(answer);
    else this.logToStderr('The project is deleted; what is in it is being removed.');
  }

  private async confirm(projectId: string): Promise<void> {
    const found = (await this.client.call(projectRoutes.list, {})).find(({ id }) => id === projectId);
    if (found === undefined) return; // the API says what is wrong
    const question = `This removes everything in it. Type the name of the project, ${harmless(found.name)}`;
    const typed = await ask(question, '--yes');
    if (typed !== found.name) throw new NotUnderstood('That is not its name; nothing was deleted.');
  }
}

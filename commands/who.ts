import { ProjectCommand } from '../src/cli/command/command.js';
import { roomWords } from '../src/cli/moderation/sanction-rooms.js';
import { nameArgument } from '../src/cli/names/kinds.js';
import { personView } from '../src/cli/people/person-view.js';
import { personRoutes } from '../src/contract/people/person.js';

export default class Who extends ProjectCommand {
  static override summary = personRoutes.get.summary;
  static override examples = ['<%= config.bin %> who bob', '<%= config.bin %> who u_42 --json'];
  static override args = { user: nameArgument('person') };

  async run(): Promise<void> {
    const { args } = await this.input(Who);
    const params = { projectId: await this.projectId(), user: args.user };
    const person = await this.client.call(personRoutes.get, { params });
    if (this.common.json === true) return this.printJson(person);
    const { active, past } = person;
    const roomOf = await roomWords(this.client, params.projectId, [...(active ?? []), ...(past ?? [])]);
    this.log(personView(person, this.screen, roomOf));
  }
}

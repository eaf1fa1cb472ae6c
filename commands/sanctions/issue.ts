import { ProjectCommand } from '../../src/cli/command/command.js';
import { imposedView } from '../../src/cli/moderation/sanction-rows.js';
import { termEnd } from '../../src/cli/moderation/term.js';
import { namesOther } from '../../src/cli/names/kinds.js';
import { daemonNow } from '../../src/cli/typed/daemon-clock.js';
import { flagsFor, requestFrom } from '../../src/cli/typed/fields.js';
import { newPersonFlag } from '../../src/cli/typed/new-name.js';
import { CreateSanctionRequest, sanctionRoutes } from '../../src/contract/moderation/sanctions.js';

const fields = flagsFor(CreateSanctionRequest);

export default class SanctionsIssue extends ProjectCommand {
  static override summary = sanctionRoutes.create.summary;
  static override examples = ['<%= config.bin %> <%= command.id %> --type mute --external-user-id u_42 --duration 10m'];
  static override flags = { ...fields, user: namesOther(fields.user, 'personById'), new: newPersonFlag };

  async run(): Promise<void> {
    const { flags } = await this.input(SanctionsIssue);
    const body = requestFrom(CreateSanctionRequest, flags);
    if (this.common.json !== true) this.logToStderr(`${body.type} ${termEnd(body, daemonNow())}.`);
    const params = { projectId: await this.projectId() };
    const answer = await this.client.call(sanctionRoutes.create, { params, body });
    this.show(this.common.json === true ? answer : imposedView(answer));
  }
}

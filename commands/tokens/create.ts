import { ProjectCommand } from '../../src/cli/command/command.js';
import { flagsFor, requestFrom } from '../../src/cli/typed/fields.js';
import { GenerateProjectTokenRequest, tokenRoutes } from '../../src/contract/rooms/tokens.js';

export default class TokensCreate extends ProjectCommand {
  static override summary = tokenRoutes.generateForProject.summary;
  static override examples = ['<%= config.bin %> <%= command.id %> --room-id demo --user-id u_42'];
  static override flags = flagsFor(GenerateProjectTokenRequest);

  async run(): Promise<void> {
    const { flags } = await this.input(TokensCreate);
    const answer = await this.client.call(tokenRoutes.generateForProject, {
      params: { projectId: await this.projectId() },
      body: requestFrom(GenerateProjectTokenRequest, flags),
    });
    this.show(answer);
  }
}

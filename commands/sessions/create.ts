import * as Args from '@oclif/core/args';
import * as Flags from '@oclif/core/flags';
import { ProjectCommand } from '../../src/cli/command/command.js';
import { argumentOrFlag, flagsFor, requestFrom } from '../../src/cli/typed/fields.js';
import { CreateSessionRequest, sessionRoutes } from '../../src/contract/sessions/sessions.js';

export default class SessionsCreate extends ProjectCommand {
  static override summary = sessionRoutes.create.summary;
  static override examples = ['<%= config.bin %> <%= command.id %> Demo --room demo'];
  static override args = { title: Args.string({ description: CreateSessionRequest.shape.title.description }) };
  static override flags = {
    ...flagsFor(CreateSessionRequest, ['title']),
    title: Flags.string({ description: 'Instead of the argument' }),
  };

  async run(): Promise<void> {
    const { args, flags } = await this.input(SessionsCreate);
    const answer = await this.client.call(sessionRoutes.create, {
      params: { projectId: await this.projectId() },
      body: requestFrom(CreateSessionRequest, flags, { title: argumentOrFlag(args.title, flags.title, 'title') }),
    });
    this.show(answer, ['id', 'title', 'externalRoomId', 'status', 'bot']);
  }
}

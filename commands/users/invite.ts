import { Args, Flags } from '@oclif/core';
import { ProjectCommand } from '../../src/cli/command.js';
import { argumentOrFlag, flagsFor, requestFrom } from '../../src/cli/typed/fields.js';
import { InviteProjectUserRequest, projectUserRoutes } from '../../src/contract/projects/projects.js';

const { description } = InviteProjectUserRequest.shape.email;

export default class UsersInvite extends ProjectCommand {
  static override summary = projectUserRoutes.invite.summary;
  static override aliases = ['users:add'];
  static override examples = [
    '<%= config.bin %> <%= command.id %> ann@example.com',
    '<%= config.bin %> <%= command.id %> --email ann@example.com --role moderator',
  ];
  static override args = { email: Args.string({ description }) };
  static override flags = {
    ...flagsFor(InviteProjectUserRequest, ['email']),
    email: Flags.string({ description: 'The same as a flag' }),
  };

  async run(): Promise<void> {
    const { args, flags } = await this.input(UsersInvite);
    const email = argumentOrFlag(args.email, flags.email, 'email');
    const answer = await this.client.call(projectUserRoutes.invite, {
      params: { projectId: await this.projectId() },
      body: requestFrom(InviteProjectUserRequest, { ...flags, email }),
    });
    this.show(answer);
  }
}

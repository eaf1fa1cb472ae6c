import { Args } from '@oclif/core';
import { ProjectCommand } from '../../src/cli/command.js';
import { nameArgument } from '../../src/cli/names/kinds.js';
import { roomRoutes } from '../../src/contract/rooms/rooms.js';

export default class RoomsKick extends ProjectCommand {
  static override summary = roomRoutes.kick.summary;
  static override examples = ['<%= config.bin %> <%= command.id %> demo u_42'];
  static override args = {
    room: Args.string({ required: true, description: 'Room id' }),
    user: nameArgument('person'),
  };

  async run(): Promise<void> {
    const { args } = await this.input(RoomsKick);
    const projectId = await this.projectId();
    const externalUserId = args.user;
    await this.client.call(roomRoutes.kick, { params: { projectId, roomId: args.room, externalUserId } });
    this.logToStderr(`${externalUserId} is out of ${args.room}.`);
  }
}

import * as Args from '@oclif/core/args';
import { ProjectCommand } from '../../src/cli/command/command.js';
import { nameArgument } from '../../src/cli/names/kinds.js';
import { roomAnnouncementRoutes } from '../../src/contract/rooms/room-announcements.js';
import { harmless } from '../../src/text/printable.js';

export default class RoomsAnnounce extends ProjectCommand {
  static override summary = roomAnnouncementRoutes.announce.summary;
  static override description =
    "The text appears on the room's page, on its event streams, and in its transcript if the room is transcribed.";
  static override examples = ['<%= config.bin %> <%= command.id %> demo "The final begins at nine."'];
  static override args = {
    room: nameArgument('joinedRoom'),
    text: Args.string({ required: true, description: 'At most 500 characters' }),
  };

  async run(): Promise<void> {
    const { args } = await this.input(RoomsAnnounce);
    const params = { projectId: await this.projectId(), roomId: args.room };
    const made = await this.client.call(roomAnnouncementRoutes.announce, { params, body: { text: args.text } });
    // A room that only pages watch is found by no list; one that nobody was told in, and that nothing knows, is a mistake.
    if (made.people === 0) await this.idOf('room', args.room);
    if (this.common.json === true) return this.printJson(made);
    this.logToStderr(
      harmless(
        made.people === 0
          ? `Nobody is in the room ${args.room} now.`
          : `Announced to ${made.people === 1 ? 'one person' : `${made.people} people`} in ${args.room}.`,
      ),
    );
  }
}

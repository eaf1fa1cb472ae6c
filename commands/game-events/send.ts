import * as Args from '@oclif/core/args';
import * as Flags from '@oclif/core/flags';
import { ProjectCommand } from '../../src/cli/command.js';
import { metaDataFlags, metaDataFrom } from '../../src/cli/gameplay/game-events.js';
import { stated } from '../../src/cli/typed/fields.js';
import { gameEventNames } from '../../src/contract/gameplay/game-events.js';
import { playerRoutes } from '../../src/contract/gameplay/players.js';

export default class GameEventsSend extends ProjectCommand {
  static override summary = playerRoutes.sendEvent.summary;
  static override aliases = ['events:send'];
  static override examples = ['<%= config.bin %> <%= command.id %> kill-enemy --user u1 --amount 1'];
  static override args = {
    name: Args.string({ required: true, options: [...gameEventNames], description: 'Game event' }),
  };
  static override flags = {
    user: Flags.string({ required: true, description: 'User id of the player' }),
    'session-id': Flags.string({ description: 'Match or level; left out: persistent' }),
    group: Flags.boolean({ description: 'Set the counter instead of adding to it' }),
    ...metaDataFlags(),
  };

  async run(): Promise<void> {
    const { args, flags } = await this.input(GameEventsSend);
    const body = {
      event_name: args.name,
      event_type: flags.group ? ('group' as const) : ('single' as const),
      ...stated({ session_id: flags['session-id'] }),
      meta_data: metaDataFrom(flags),
    };
    const params = { projectId: await this.projectId(), userId: flags.user };
    this.show(await this.client.call(playerRoutes.sendEvent, { params, body }));
  }
}

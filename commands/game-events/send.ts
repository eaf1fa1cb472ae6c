import * as Args from '@oclif/core/args';
import * as Flags from '@oclif/core/flags';
import { metaDataFlags, metaDataFrom } from '../../src/cli/gameplay/game-events.js';
import { againFlag, ImportCommand, waitFlags } from '../../src/cli/gameplay/import-command.js';
import { stated } from '../../src/cli/typed/fields.js';
import { gameEventNames } from '../../src/contract/gameplay/game-events.js';
import { playerRoutes } from '../../src/contract/gameplay/players.js';
import { UsageError } from '../../src/terminal/usage-error.js';

export default class GameEventsSend extends ImportCommand {
  static override summary = playerRoutes.sendEvent.summary;
  static override aliases = ['events:send'];
  static override usage = ['<%= command.id %> NAME --user USER', '<%= command.id %> -f FILE'];
  static override examples = [
    '<%= config.bin %> <%= command.id %> kill-enemy --user u1 --amount 1',
    '<%= config.bin %> <%= command.id %> kill-enemy --user u1 --amount 1 --wait-completed "Three down"',
    '<%= config.bin %> <%= command.id %> -f events.csv',
  ];
  static override args = {
    name: Args.string({ options: [...gameEventNames], description: 'Game event' }),
  };
  static override flags = {
    user: Flags.string({ description: 'User id of the player' }),
    file: Flags.string({
      char: 'f',
      description: 'Send the events of this file, in a format of `game-events import`; -: standard input',
    }),
    'session-id': Flags.string({ description: 'Match or level; default: persistent' }),
    group: Flags.boolean({ description: 'Set the counter instead of adding to it' }),
    ...againFlag,
    ...waitFlags,
    ...metaDataFlags(),
  };

  async run(): Promise<void> {
    const { args, flags } = await this.input(GameEventsSend);
    const { name } = args;
    const { user, file } = flags;
    if (file !== undefined && name === undefined && user === undefined) return this.importFile(file, flags);
    if (file !== undefined || name === undefined || user === undefined)
      throw new UsageError('Write the event and --user USER, or only -f FILE.');
    const body = {
      event_name: name,
      event_type: flags.group ? ('group' as const) : ('single' as const),
      ...stated({ session_id: flags['session-id'] }),
      meta_data: metaDataFrom(flags),
    };
    const params = { projectId: await this.projectId(), userId: user };
    this.show(await this.client.call(playerRoutes.sendEvent, { params, body }));
    await this.waitFor([user], flags);
  }
}

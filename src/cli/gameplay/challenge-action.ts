/** Shared parts of the commands that move a challenge of a player, or of everybody in a file. */
import * as Flags from '@oclif/core/flags';
import type { PlayerChallenge, playerRoutes } from '../../contract/gameplay/players.js';
import { ProjectCommand } from '../command/command.js';
import { forEach, rowsOfFile } from '../files/each-line.js';
import { peopleShape, personIn } from '../files/people-list.js';
import { nameArgument, optionalNameArgument } from '../names/kinds.js';

type ActionRoute = (typeof playerRoutes)['unlock' | 'activate' | 'cancel' | 'claim'];

const challenge = nameArgument('challenge');
const both = { user: nameArgument('player'), challenge };
const file = Flags.string({ char: 'f', description: 'For everybody in this file, one per line; -: standard input' });
const columns = ['userId', 'state', 'counter', 'goal'];
const isFileFlag = /^(-f|--file\b)/;

export abstract class ChallengeActionCommand extends ProjectCommand {
  static override description =
    'With -f, acts for many players: names or ids, one per line; of CSV, the column that its header names (user_id, player, displayName), or without a header the first. A refused player does not stop the others.';
  static override usage = ['<%= command.id %> USER CHALLENGE', '<%= command.id %> CHALLENGE -f FILE'];
  static override examples = [
    '<%= config.bin %> <%= command.id %> u_42 CHALLENGE',
    '<%= config.bin %> <%= command.id %> CHALLENGE -f players.txt',
  ];
  static override args = { user: nameArgument('player'), challenge: optionalNameArgument('challenge') };
  static override flags = { file };

  protected abstract readonly route: ActionRoute;

  async run(): Promise<void> {
    const { baseFlags } = ChallengeActionCommand;
    // With -f nobody is named before the challenge.
    if (!this.argv.some((word) => isFileFlag.test(word))) {
      const { args } = await this.input({ args: both, flags: { file }, baseFlags, strict: true });
      return this.show(await this.act(args.user, args.challenge));
    }
    const { args, flags } = await this.input({ args: { challenge }, flags: { file }, baseFlags, strict: true });
    const rows = await rowsOfFile(flags.file ?? '-', peopleShape(true));
    const moved = await forEach(
      rows,
      async (row) => this.act(await this.idOf('player', personIn(row)), args.challenge),
      this.common,
    );
    this.list(moved, moved, columns);
  }

  private async act(userId: string, id: string): Promise<PlayerChallenge> {
    return this.client.call(this.route, { params: { projectId: await this.projectId(), userId, id } });
  }
}

import { SetProgressCommand } from '../../src/cli/gameplay/set-progress-command.js';

export default class PlayersGrant extends SetProgressCommand {
  static override summary = 'Add to the progress of a player in a challenge, with a reason.';
  protected readonly field = 'add';
}

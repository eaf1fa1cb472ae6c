import { SetProgressCommand } from '../../src/cli/gameplay/set-progress-command.js';

export default class PlayersSetProgress extends SetProgressCommand {
  static override summary = 'Set how far a player is in a challenge, with a reason.';
  protected readonly field = 'counter';
}

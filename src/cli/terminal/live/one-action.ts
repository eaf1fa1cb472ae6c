/** One action at a time of a live view. What it says, or why it was refused, stands at the foot; a refusal ends nothing. */
import { messageOf } from '../../run.js';

export class OneAction {
  /** The sentence about the last action. */
  says = '';
  isBusy = false;
  private action: Promise<void> = Promise.resolve();

  constructor(private readonly changed: () => void) {}

  start(action: () => Promise<string>): void {
    this.isBusy = true;
    this.says = '';
    this.action = action()
      .catch((error: unknown) => messageOf(error).split('\n')[0] ?? '')
      .then((says) => {
        this.isBusy = false;
        this.says = says;
        this.changed();
      });
  }

  /** Resolves when the action under way has ended. */
  ended = (): Promise<void> => this.action;
}

import * as Args from '@oclif/core/args';
import * as Flags from '@oclif/core/flags';
import { ProjectCommand } from '../src/cli/command/command.js';
import { eventLine } from '../src/cli/events/event-line.js';
import { Scratch } from '../src/cli/trigger/scratch.js';
import { trigger } from '../src/cli/trigger/trigger.js';
import { ownEventTypes } from '../src/contract/events.js';
import { UsageError } from '../src/terminal/usage-error.js';

export default class Trigger extends ProjectCommand {
  static override summary = 'Cause a domain event by doing what causes it, with things made for it.';
  static override description =
    'What is made is named after the seed. The same seed first removes what it left the last time, and then does the same again. --cleanup removes it at the end; without TYPE it only removes.';
  static override examples = [
    '<%= config.bin %> <%= command.id %> sanction.created',
    '<%= config.bin %> <%= command.id %> gathering.member.joined --seed 7 --cleanup',
  ];
  static override args = { type: Args.string({ options: ownEventTypes, description: 'Type of the event' }) };
  static override flags = {
    seed: Flags.integer({ min: 0, max: 999_999, default: 1, description: 'Names what is made' }),
    cleanup: Flags.boolean({ description: 'Remove what was made' }),
  };

  async run(): Promise<void> {
    const { args, flags } = await this.input(Trigger);
    const scratch = new Scratch(this.client, await this.projectId(), flags.seed);
    const type = ownEventTypes.find((one) => one === args.type);
    if (type === undefined && !flags.cleanup) throw new UsageError('Name a type, or --cleanup.');
    if (type !== undefined) {
      const { event, text } = await trigger(scratch, type);
      const isPlain = this.common.json === true || !this.screen.isTerminal;
      this.log(isPlain ? text : eventLine(event, this.screen));
    }
    if (flags.cleanup) this.logToStderr(`Swept up ${scratch.name}: ${await scratch.sweep()} removed.`);
  }
}

import * as Args from '@oclif/core/args';
import * as Flags from '@oclif/core/flags';
import { ProjectCommand } from '../src/cli/command/command.js';
import { eventLine } from '../src/cli/events/event-line.js';
import { Scratch } from '../src/cli/trigger/scratch.js';
import { trigger } from '../src/cli/trigger/trigger.js';
import { ownEventTypes } from '../src/contract/events.js';
import { UsageError } from '../src/terminal/usage-error.js';

export default class Trigger extends ProjectCommand {
  static override summary = 'Cause a domain event for real, on resources created for it.';
  static override description =
    'The resources are named after the seed. Running with the same seed again first removes what the last run left. --cleanup removes the resources at the end; without TYPE, it does nothing else.';
  static override examples = [
    '<%= config.bin %> <%= command.id %> sanction.created',
    '<%= config.bin %> <%= command.id %> gathering.member.joined --seed 7 --cleanup',
  ];
  static override args = { type: Args.string({ options: ownEventTypes, description: 'Type of the event' }) };
  static override flags = {
    seed: Flags.integer({ min: 0, max: 999_999, default: 1, description: 'Seed for the names of the resources' }),
    cleanup: Flags.boolean({ description: 'Remove the resources at the end' }),
  };

  async run(): Promise<void> {
    const { args, flags } = await this.input(Trigger);
    const scratch = new Scratch(this.client, await this.projectId(), flags.seed);
    const type = ownEventTypes.find((one) => one === args.type);
    if (type === undefined && !flags.cleanup) throw new UsageError('Name an event type, or pass --cleanup.');
    if (type !== undefined) {
      const { event, text } = await trigger(scratch, type);
      const isPlain = this.common.json === true || !this.screen.isTerminal;
      this.log(isPlain ? text : eventLine(event, this.screen));
    }
    if (flags.cleanup) this.logToStderr(`Cleaned up ${scratch.name}: ${await scratch.sweep()} removed.`);
  }
}

import { gatheringView } from '../../src/cli/gatherings/gathering-view.js';
import { GatheringCommand, gatheringArgument } from '../../src/cli/gatherings/gatherings.js';
import { type Picture, watchGathering } from '../../src/cli/gatherings/watch-gathering.js';
import { inHalves, largeType } from '../../src/cli/terminal/large-type.js';
import { LiveScreen } from '../../src/cli/terminal/live/screen.js';
import { interruption } from '../../src/terminal/interruption.js';

export default class GatheringsWatch extends GatheringCommand {
  static override summary = 'Watch a gathering: who comes, goes and is ready, until it is over.';
  static override examples = [
    '<%= config.bin %> <%= command.id %> ABCD-EFGH',
    '<%= config.bin %> <%= command.id %> GATHERING --json | jq .type',
  ];
  static override args = { gathering: gatheringArgument };

  async run(): Promise<void> {
    const { args } = await this.input(GatheringsWatch);
    const projectId = await this.projectId();
    const params = { projectId, id: args.gathering };
    const until = interruption();
    if (this.common.json !== true && this.screen.isTerminal) return this.live(params, until);
    await watchGathering(this.client, params, {
      until,
      event: (event) => this.log(JSON.stringify(event)),
      trouble: (line) => this.logToStderr(line ?? 'Watching.'),
      picture: () => {},
    });
  }

  private async live(params: { projectId: string; id: string }, until: AbortSignal): Promise<void> {
    let seen: Picture | null = null;
    let trouble: string | null = null;
    const drawn = ({ gathering, invitations }: Picture): string => gatheringView(gathering, invitations, this.screen);
    const screen = new LiveScreen(() => {
      if (seen === null) return '';
      return [largeType(inHalves(seen.gathering.joinCode)), drawn(seen), trouble ?? 'ctrl-c quits'].join('\n\n');
    });
    try {
      seen = await watchGathering(this.client, params, {
        until,
        event: () => {},
        trouble: (line) => {
          trouble = line;
          screen.show();
        },
        picture: (picture) => {
          seen = picture;
          screen.show();
        },
      });
    } finally {
      screen.close();
      if (seen !== null) this.log(drawn(seen));
    }
  }
}

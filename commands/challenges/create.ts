import { ProjectCommand } from '../../src/cli/command/command.js';
import { resetPeriodFlags, resetPeriodFrom } from '../../src/cli/gameplay/reset-period.js';
import { nameFlag } from '../../src/cli/names/kinds.js';
import { flagsFor, requestFrom } from '../../src/cli/typed/fields.js';
import { newNameArgument, newNameFlag, withName } from '../../src/cli/typed/new-name.js';
import { CreateLevelChallengeRequest, levelChallengeRoutes } from '../../src/contract/gameplay/battle-pass-levels.js';
import { CreateChallengeRequest, challengeRoutes } from '../../src/contract/gameplay/challenges.js';
import { UsageError } from '../../src/terminal/usage-error.js';

const levelFlags = { ...flagsFor(CreateLevelChallengeRequest, ['name']), name: newNameFlag };
const ownFlags = { ...flagsFor(CreateChallengeRequest, ['name', 'resetPeriod']), ...resetPeriodFlags };
const columns = ['id', 'name', 'eventName', 'goal', 'counting'];

export default class ChallengesCreate extends ProjectCommand {
  static override summary = challengeRoutes.create.summary;
  static override examples = [
    '<%= config.bin %> <%= command.id %> "Three down" --event-name kill-enemy --goal 3',
    '<%= config.bin %> <%= command.id %> "Three a day" --event-name kill-enemy --goal 3 --reset-period daily --time-zone Europe/Berlin',
    '<%= config.bin %> <%= command.id %> "Three down" --level "Season 1/3" --event-name kill-enemy --goal 3',
  ];
  static override args = { name: newNameArgument };
  static override flags = {
    ...ownFlags,
    name: newNameFlag,
    level: nameFlag('level', 'Create it in this level of a battle pass: PASS/POSITION or id'),
  };

  async run(): Promise<void> {
    const { args, flags } = await this.input(ChallengesCreate);
    const named = withName(args, flags);
    const projectId = await this.projectId();
    if (flags.level !== undefined) return this.createInLevel(projectId, flags.level, named);
    const body = requestFrom(CreateChallengeRequest, named, resetPeriodFrom(flags));
    this.show(await this.client.call(challengeRoutes.create, { params: { projectId }, body }), columns);
  }

  private async createInLevel(
    projectId: string,
    levelId: string,
    flags: Readonly<Record<string, unknown>>,
  ): Promise<void> {
    const foreign = Object.keys(ownFlags).find((name) => flags[name] !== undefined && !(name in levelFlags));
    if (foreign !== undefined)
      throw new UsageError(`--${foreign} is not for a challenge in a level: the battle pass decides that.`);
    const body = requestFrom(CreateLevelChallengeRequest, flags);
    this.show(await this.client.call(levelChallengeRoutes.create, { params: { projectId, levelId }, body }), columns);
  }
}

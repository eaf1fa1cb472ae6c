import * as Flags from '@oclif/core/flags';
import { GatheringCommand, gatheringArgument, peopleArgument } from '../../src/cli/gatherings/gatherings.js';
import { daemonNow } from '../../src/cli/typed/daemon-clock.js';
import { parseTime } from '../../src/cli/typed/times.js';
import { gatheringInvitationRoutes, invitedMax } from '../../src/contract/gatherings/gathering-invitations.js';
import { UsageError } from '../../src/terminal/usage-error.js';

export default class GatheringsInvite extends GatheringCommand {
  static override summary = gatheringInvitationRoutes.send.summary;
  static override examples = [
    '<%= config.bin %> <%= command.id %> GATHERING bob ann --expires-at "in 2h"',
    '<%= config.bin %> <%= command.id %> GATHERING - < guests.txt',
  ];
  static override strict = false;
  static override args = { gathering: gatheringArgument, people: peopleArgument };
  static override flags = {
    'expires-at': Flags.string({ description: 'Until when they may accept; default: 7 days' }),
  };

  async run(): Promise<void> {
    const { args, flags, argv } = await this.input(GatheringsInvite);
    const [, ...people] = argv;
    const expiry = flags['expires-at'];
    const expiresAt = typeof expiry === 'string' ? parseTime(expiry, daemonNow(), 'future') : undefined;
    const projectId = await this.projectId();
    const params = { projectId, id: args.gathering };
    const ids = await this.forEach(people, (named) => this.personId(named));
    if (ids.length === 0) throw new UsageError('There is nobody to invite.');
    const sent = [];
    for (let first = 0; first < ids.length; first += invitedMax) {
      const body = { participantIds: ids.slice(first, first + invitedMax), expiresAt };
      sent.push(...(await this.client.call(gatheringInvitationRoutes.send, { params, body })));
    }
    await this.listInvitations(projectId, sent);
  }
}

import * as Args from '@oclif/core/args';
import * as Flags from '@oclif/core/flags';
import { ConsoleCommand, noBrowserFlag } from '../src/cli/sign-in/console-command.js';
import { ApiError } from '../src/client/errors.js';
import { reviewRoutes } from '../src/contract/moderation/reviews.js';
import { sanctionRoutes } from '../src/contract/moderation/sanctions.js';
import { caseRoutes } from '../src/contract/reports/cases.js';
import { roomRoutes } from '../src/contract/rooms/rooms.js';

const kinds = ['person', 'room', 'case', 'sanction'] as const;
type OpenedKind = (typeof kinds)[number];
const folders: Readonly<Record<OpenedKind, string>> = {
  person: 'people',
  room: 'rooms',
  case: 'cases',
  sanction: 'sanctions',
};

export default class Open extends ConsoleCommand {
  static override summary = 'Open a person, room, case or sanction in the console.';
  static override description =
    'What the target is shows its id: that of a case or a sanction, of an open room, else a person by id or display name.';
  static override examples = ['<%= config.bin %> open u_42', '<%= config.bin %> open lobby --as room'];
  static override args = { target: Args.string({ description: 'Id or name', required: true }) };
  static override flags = {
    ...noBrowserFlag,
    as: Flags.option({ options: kinds, description: 'What the target is' })(),
  };

  async run(): Promise<void> {
    const { args, flags } = await this.input(Open);
    const projectId = await this.projectId();
    const kind = flags.as ?? (await this.kindOf(projectId, args.target));
    const id = kind === 'person' ? await this.idOf('player', args.target, true) : args.target;
    await this.lead(`/projects/${projectId}/${folders[kind]}/${encodeURIComponent(id)}`, !flags['no-browser']);
  }

  private async kindOf(projectId: string, target: string): Promise<OpenedKind> {
    const params = { projectId, id: target };
    if (/^[\da-f]{8}-/.test(target)) {
      if (await exists(this.client.call(caseRoutes.get, { params }))) return 'case';
      if (await exists(this.client.call(reviewRoutes.get, { params }))) return 'case';
      if (await exists(this.client.call(sanctionRoutes.get, { params }))) return 'sanction';
    }
    const rooms = await this.client.call(roomRoutes.list, { params: { projectId }, query: { search: target } });
    return rooms.some(({ roomId }) => roomId === target) ? 'room' : 'person';
  }
}

const exists = (asked: Promise<unknown>): Promise<boolean> =>
  asked.then(
    () => true,
    (error: unknown) => {
      if (error instanceof ApiError && error.status === 404) return false;
      throw error;
    },
  );

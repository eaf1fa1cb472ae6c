import * as Args from '@oclif/core/args';
import * as Flags from '@oclif/core/flags';
import { ProjectCommand } from '../../src/cli/command/command.js';
import { forEach, rowsOfFile, typedNames } from '../../src/cli/files/each-line.js';
import { flagsFor, requestFrom } from '../../src/cli/typed/fields.js';
import { repeated } from '../../src/cli/typed/repeated.js';
import {
  InvitedProjectUser,
  InviteProjectUserRequest,
  projectUserRoutes,
} from '../../src/contract/projects/projects.js';
import { type ListRow, type ListShape, namesOf, plainName } from '../../src/files/list-rows.js';
import { padded, widthOf } from '../../src/terminal/columns.js';
import { UsageError } from '../../src/terminal/usage-error.js';

export default class UsersInvite extends ProjectCommand {
  static override summary = projectUserRoutes.invite.summary;
  static override description =
    'To invite several people, pass several addresses, or a file with one per line and, after a space or a comma, the role; it may have a header (email, role). A refused address does not stop the others.';
  static override aliases = ['users:add'];
  static override strict = false;
  static override examples = [
    '<%= config.bin %> <%= command.id %> ann@example.com',
    '<%= config.bin %> <%= command.id %> ann@example.com bob@example.com --role moderator',
    '<%= config.bin %> <%= command.id %> -f team.txt',
  ];
  static override args = { email: Args.string({ description: 'E-mail address, or several' }) };
  static override flags = {
    ...flagsFor(InviteProjectUserRequest, ['email']),
    email: Flags.string({ ...repeated, description: 'Instead of the argument' }),
    file: Flags.string({ char: 'f', description: 'Addresses, one per line; -: standard input' }),
  };

  async run(): Promise<void> {
    const { flags, argv } = await this.input(UsersInvite);
    const typed = [...argv, ...(flags.email ?? [])];
    if (typed.length > 0 === (flags.file !== undefined))
      throw new UsageError('Write one or several e-mail addresses, or -f FILE with one per line.');
    const params = { projectId: await this.projectId() };
    const invite = ({ email, role = flags.role }: Invited) => {
      const body = requestFrom(InviteProjectUserRequest, { email, role });
      return this.client.call(projectUserRoutes.invite, { params, body });
    };
    const [first = '', ...others] = typed;
    if (flags.file === undefined && others.length === 0) return this.show(await invite({ email: first }));
    const invited =
      flags.file === undefined
        ? await forEach(typedNames(typed), (email) => invite({ email }), this.common)
        : await forEach(await rowsOfFile(flags.file, shape), (row) => invite(invitedIn(row)), this.common);
    if (this.common.json === true) this.list(invited, invited, []);
    else for (const line of linesOf(invited)) this.log(line);
  }
}

interface Invited {
  readonly email: string;
  readonly role?: string;
}

/** Columns of a list of colleagues that no invitation has. */
const personal: ReadonlySet<string> = new Set(['name', 'displayname', 'firstname', 'lastname']);
const { other } = namesOf(InviteProjectUserRequest, InvitedProjectUser);

/** `users list` has further fields; a misspelt role would make everybody a viewer. */
const shape: ListShape = {
  fields: { email: ['email', 'mail', 'address', 'emailaddress'], role: ['role'] },
  ids: [],
  other: (name) => (personal.has(plainName(name)) ? null : other(name)),
  withoutHeader: ['email', 'role'],
  within: ['items'],
  example: '{"email":"ann@example.com","role":"moderator"}',
};

/** The role may stand after a space, too. Throws UsageError. */
function invitedIn({ email, role }: ListRow['fields']): Invited {
  if (typeof email !== 'string' || email.trim() === '') throw new UsageError('has no e-mail address.');
  const [address = '', spaced, ...rest] = email.trim().split(/\s+/);
  const stated = typeof role === 'string' ? role.trim() : spaced;
  if (rest.length > 0 || (spaced !== undefined && role !== undefined))
    throw new UsageError('has more than an address and a role.');
  return stated === undefined ? { email: address } : { email: address, role: stated };
}

/** No table: it would cut the links, which are to be handed over. */
function linesOf(invited: readonly InvitedProjectUser[]): string[] {
  const width = Math.max(...invited.map(({ email }) => widthOf(email)), 0);
  return invited.map(
    ({ email, role, invitationUrl }) =>
      `${padded(email, width)}  ${role.padEnd('moderator'.length)}  ${invitationUrl ?? 'mailed'}`,
  );
}

import { Button, NativeSelect } from '@mantine/core';
import { useState } from 'react';
import { z } from 'zod';
import { apiKeyRoutes } from '../../../src/contract/identity/api-keys.js';
import {
  InviteProjectUserRequest,
  type ProjectUser,
  projectUserRoutes,
} from '../../../src/contract/projects/projects.js';
import { atLeast, type ProjectRole, projectRoles } from '../../../src/contract/route.js';
import { useProject } from '../frame/project.js';
import { Act } from '../parts/act.js';
import { CliLine, Copying, commandLine } from '../parts/copy.js';
import { type Column, DataTable } from '../parts/data-table.js';
import { Dialog } from '../parts/dialog.js';
import { ChoiceFilter, TextFilter } from '../parts/filters.js';
import { MadeAccess } from '../parts/made-access.js';
import { SchemaForm } from '../parts/schema-form.js';
import { Time } from '../parts/time.js';
import { useFilter } from '../parts/use-filter.js';
import { useRead } from '../parts/use-read.js';
import { client } from '../session/session.js';
import { useWords } from '../words/all-words.js';

const { email: Email, role: GivenRole } = InviteProjectUserRequest.shape;
const addressesMax = 20;
const InviteSeveral = z.object({
  emails: z.array(Email).min(1).max(addressesMax),
  role: GivenRole,
});
interface SentInvitation {
  readonly email: string;
  readonly invitationUrl: string | null;
  readonly refused: string | null;
}

const idOf = ({ permissionId }: ProjectUser) => permissionId;

export default function People() {
  const words = useWords();
  const own = words.administration;
  const { params, may, project } = useProject();
  const [search, setSearch] = useFilter('search');
  const [status, setStatus] = useFilter('status');
  const [invites, setInvites] = useFilter('invite');
  const [invited, setInvited] = useState<readonly SentInvitation[]>([]);
  /** What one address is refused for does not keep the others out; if all are, the form says why. */
  const inviteEach = async (emails: readonly string[], role: ProjectRole): Promise<readonly SentInvitation[]> => {
    const answers: SentInvitation[] = [];
    const refusals: unknown[] = [];
    for (const email of emails)
      try {
        const { invitationUrl } = await client.call(projectUserRoutes.invite, { params, body: { email, role } });
        answers.push({ email, invitationUrl, refused: null });
      } catch (error) {
        refusals.push(error);
        answers.push({ email, invitationUrl: null, refused: error instanceof Error ? error.message : String(error) });
      }
    if (refusals.length === emails.length) throw refusals[0];
    return answers;
  };
  const people = useRead(projectUserRoutes.list, {
    params,
    query: {
      ...(search === '' ? {} : { search }),
      ...(status === '' ? {} : { status: status as ProjectUser['status'] }),
    },
  });
  /** Nobody changes who stands above them, or gives a role above their own. */
  const isBelow = ({ role }: ProjectUser) => may('admin') && atLeast(project.role, role);
  const columns: readonly Column<ProjectUser>[] = [
    { ...{ id: 'email', label: own.email }, cell: ({ email }) => <bdi>{email}</bdi>, sort: ({ email }) => email },
    {
      ...{ id: 'role', label: own.role, width: '210px' },
      cell: (user) => (isBelow(user) ? <Role user={user} /> : user.role),
      sort: ({ role }) => projectRoles.indexOf(role),
    },
    {
      ...{ id: 'status', label: words.status, width: '100px' },
      cell: (user) => <span className={`badge ${user.status === 'pending' ? 'warn' : ''}`}>{own[user.status]}</span>,
    },
    {
      ...{ id: 'since', label: own.since, wide: true, width: '130px' },
      cell: ({ acceptedAt, invitedAt }) => <Time at={acceptedAt ?? invitedAt} />,
      sort: ({ acceptedAt, invitedAt }) => acceptedAt ?? invitedAt,
    },
    {
      ...{ id: 'actions', label: words.actions, width: '120px' },
      cell: (user) => isBelow(user) && <Remove user={user} />,
    },
  ];
  return (
    <>
      <div className="page-actions tab-actions">
        <TextFilter label={own.email} value={search} onChange={setSearch} />
        <ChoiceFilter
          label={words.status}
          value={status}
          onChange={setStatus}
          choices={[
            { value: '', label: words.all },
            { value: 'pending', label: own.pending },
            { value: 'accepted', label: own.accepted },
          ]}
        />
        {may('admin') && <Button onClick={() => setInvites('yes')}>{own.invite}</Button>}
      </div>
      <DataTable
        label={own.people}
        of={people}
        columns={columns}
        idOf={idOf}
        empty={own.nobody}
        height="calc(100dvh - 240px)"
      />
      <CliLine line={commandLine(...['users', 'list'], ['--search', search], ['--status', status])} />
      <Dialog opened={invites !== '' && may('admin')} onClose={() => setInvites('')} title={own.invite}>
        <SchemaForm
          schema={InviteSeveral}
          filled={{ role: 'viewer' }}
          choices={() => ({ role: projectRoles.filter((one) => atLeast(project.role, one)) })}
          send={async ({ emails, role }) => setInvited(await inviteEach(emails, role ?? 'viewer'))}
          onDone={() => setInvites('')}
          submit={own.invite}
          line={(_, { emails, role = 'viewer' }) => {
            const typed = Array.isArray(emails) && emails.length > 0 ? emails.map(String) : ['EMAIL'];
            return commandLine('users', 'invite', ...typed, ['--role', String(role)]);
          }}
        />
      </Dialog>
      <Dialog opened={invited.length > 0} onClose={() => setInvited([])} title={own.invited}>
        <p>{own.invitedText}</p>
        {invited.map(({ email, invitationUrl, refused }) => (
          <p key={email} className={refused === null ? '' : 'bad'}>
            <bdi>{email}</bdi>: {refused ?? <code>{invitationUrl}</code>}{' '}
            {refused === null && <Copying value={invitationUrl ?? ''} label={own.copyLinkOf(email)} />}
          </p>
        ))}
      </Dialog>
    </>
  );
}

/** What they gave to others is read when it is asked whether they shall go. */
function Remove({ user: { permissionId, email, status, userId } }: { readonly user: ProjectUser }) {
  const own = useWords().administration;
  const { params } = useProject();
  const [withdraws, setWithdraws] = useState(false);
  return (
    <Act
      label={status === 'pending' ? own.withdraw : own.remove}
      tone="red"
      confirm={
        <>
          <p>{own.removeText(email)}</p>
          {userId !== null && <MadeByUser userId={userId} withdraws={withdraws} onChange={setWithdraws} />}
        </>
      }
      run={() => client.call(projectUserRoutes.remove, { params, body: { permissionId, withdraw: withdraws } })}
      line={commandLine('users', 'remove', email, ...(withdraws ? [['--withdraw'] as const] : []))}
    />
  );
}

interface MadeByUserProps {
  readonly userId: string;
  readonly withdraws: boolean;
  readonly onChange: (withdraws: boolean) => void;
}

function MadeByUser({ userId, withdraws, onChange }: MadeByUserProps) {
  const { params, project } = useProject();
  const { data: keys = [] } = useRead(apiKeyRoutes.list, { query: { projectId: project.id } });
  const { data: users = [] } = useRead(projectUserRoutes.list, { params, query: {} });
  const invited = users.filter(({ invitedByUserId }) => invitedByUserId === userId);
  const named = (wanted: ProjectUser['status']) =>
    invited.filter(({ status }) => status === wanted).map(({ email }) => email);
  const made = keys.filter(({ createdByUserId }) => createdByUserId === userId).map(({ name }) => name);
  return (
    <MadeAccess
      open={[...made, ...named('pending')]}
      members={named('accepted')}
      withdraws={withdraws}
      onChange={onChange}
    />
  );
}

/** Another role is chosen first and confirmed after: arrow keys alone change nothing. */
function Role({ user: { permissionId, email, role } }: { readonly user: ProjectUser }) {
  const words = useWords().administration;
  const { params, project } = useProject();
  const [chosen, setChosen] = useState<ProjectRole | null>(null);
  const next = chosen ?? role;
  return (
    <span className="act">
      <NativeSelect
        aria-label={words.roleOf(email)}
        value={next}
        onChange={(event) => setChosen(event.currentTarget.value as ProjectRole)}
        data={projectRoles.filter((one) => atLeast(project.role, one))}
      />
      {next !== role && (
        <Act
          isMain
          label={words.giveRole}
          name={words.giveRoleTo(email, next)}
          run={() => client.call(projectUserRoutes.changeRole, { params, body: { permissionId, role: next } })}
          onDone={() => setChosen(null)}
          line={commandLine('users', 'change-role', email, next)}
        />
      )}
    </span>
  );
}

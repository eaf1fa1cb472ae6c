import { Button, Checkbox, NativeSelect } from '@mantine/core';
import { useState } from 'react';
import { type ApiKeyResponse, apiKeyRoutes, CreateApiKey } from '../../../src/contract/identity/api-keys.js';
import { type ProjectUser, projectUserRoutes } from '../../../src/contract/projects/projects.js';
import { useProject } from '../frame/project.js';
import { Act } from '../parts/act.js';
import { readingOf } from '../parts/answer.js';
import { accountLine, CliLine, Copying, commandLine } from '../parts/copy.js';
import { type Column, DataTable } from '../parts/data-table.js';
import { Dialog } from '../parts/dialog.js';
import { TextFilter } from '../parts/filters.js';
import { MadeAccess } from '../parts/made-access.js';
import { SchemaForm } from '../parts/schema-form.js';
import { Time } from '../parts/time.js';
import { useFilter } from '../parts/use-filter.js';
import { useRead } from '../parts/use-read.js';
import { client, useSession } from '../session/session.js';
import { useWords } from '../words/all-words.js';

const idOf = ({ id }: ApiKeyResponse) => id;

export default function Keys() {
  const words = useWords();
  const own = words.developers;
  const { project, params } = useProject();
  const { data: users = [] } = useRead(projectUserRoutes.list, { params, query: {} });
  const [search, setSearch] = useFilter('search');
  const [makes, setMakes] = useFilter('new');
  const [secret, setSecret] = useState<string | null>(null);
  const all = useRead(apiKeyRoutes.list, { query: search === '' ? {} : { search } });
  const keys = readingOf(all, (rows) => rows.filter(({ projectId }) => projectId === null || projectId === project.id));
  const columns: readonly Column<ApiKeyResponse>[] = [
    {
      ...{ id: 'name', label: own.name },
      cell: ({ name, keyPrefix }) => (
        <>
          <bdi>{name}</bdi> <code className="quiet">{keyPrefix}…</code>
        </>
      ),
      sort: ({ name }) => name,
    },
    {
      ...{ id: 'scopes', label: own.scopes, wide: true },
      cell: ({ scopes }) => <span title={scopes.join(', ')}>{scopes.join(', ')}</span>,
    },
    {
      ...{ id: 'project', label: own.actsIn, wide: true, width: '120px' },
      cell: ({ projectId }) => (projectId === null ? own.everyProject : own.thisProject),
    },
    {
      ...{ id: 'madeBy', label: own.madeBy, wide: true, width: '160px' },
      cell: ({ createdBy }) => <bdi>{createdBy}</bdi>,
      sort: ({ createdBy }) => createdBy ?? '',
    },
    {
      ...{ id: 'used', label: own.lastUsed, width: '130px' },
      cell: ({ lastUsedAt }) => (lastUsedAt === null ? own.neverUsed : <Time at={lastUsedAt} />),
      sort: ({ lastUsedAt }) => lastUsedAt ?? '',
    },
    {
      ...{ id: 'expires', label: own.expires, wide: true, width: '130px' },
      cell: ({ expiresAt }) => <Time at={expiresAt} />,
      sort: ({ expiresAt }) => expiresAt ?? '~',
    },
    {
      ...{ id: 'actions', label: words.actions, width: '110px' },
      cell: (key) => <Revoke apiKey={key} users={users} />,
    },
  ];
  return (
    <>
      <div className="page-actions tab-actions">
        <TextFilter label={own.name} value={search} onChange={setSearch} />
        <Button onClick={() => setMakes('yes')}>{own.newKey}</Button>
      </div>
      <DataTable
        label={own.keys}
        of={keys}
        columns={columns}
        idOf={idOf}
        empty={own.noKeys}
        height="calc(100dvh - 240px)"
      />
      <CliLine line={commandLine('api-keys', 'list', ['--search', search])} />
      <Dialog opened={makes !== ''} onClose={() => setMakes('')} title={own.newKey} size="lg">
        <NewKey onMade={setSecret} onDone={() => setMakes('')} />
      </Dialog>
      <Dialog opened={secret !== null} onClose={() => setSecret(null)} title={own.newKey}>
        <p>{own.keyOnce}</p>
        <p>
          <code className="whole">{secret}</code> <Copying value={secret ?? ''} label={own.copyKey} />
        </p>
      </Dialog>
    </>
  );
}

interface RevokeProps {
  readonly apiKey: ApiKeyResponse;
  readonly users: readonly ProjectUser[];
}

function Revoke({ apiKey: { id, name }, users }: RevokeProps) {
  const own = useWords().developers;
  const [withdraws, setWithdraws] = useState(false);
  const invited = users.filter(({ invitedByUserId }) => invitedByUserId === id);
  const named = (wanted: ProjectUser['status']) =>
    invited.filter(({ status }) => status === wanted).map(({ email }) => email);
  return (
    <Act
      label={own.revoke}
      tone="red"
      confirm={
        <>
          <p>{own.revokeText(name)}</p>
          <MadeAccess
            open={named('pending')}
            members={named('accepted')}
            withdraws={withdraws}
            onChange={setWithdraws}
          />
        </>
      }
      run={() => client.call(apiKeyRoutes.revoke, { params: { id }, query: { withdraw: withdraws } })}
      line={accountLine('api-keys', 'revoke', name, ...(withdraws ? [['--withdraw'] as const] : []))}
    />
  );
}

/** Scopes for what keys are made for most. */
const presets = {
  own: {},
  server: { name: 'Game server', scopes: ['tokens', 'gameplay', 'gatherings', 'participants', 'sanctions:read'] },
  ci: { name: 'CI', scopes: ['gameplay', 'plugins', 'settings'] },
  reading: {
    name: 'Read only',
    scopes: [
      'sessions:read',
      'gatherings:read',
      'participants:read',
      'sanctions:read',
      'reports:read',
      'gameplay:read',
    ],
  },
} as const;

interface NewKeyProps {
  readonly onMade: (key: string) => void;
  readonly onDone: () => void;
}

function NewKey({ onMade, onDone }: NewKeyProps) {
  const own = useWords().developers;
  const { project } = useProject();
  const session = useSession();
  const [isTenantWide, setTenantWide] = useState(false);
  const [preset, setPreset] = useState<keyof typeof presets>('own');
  const isTenantAdmin = 'user' in session && session.user.role === 'admin';
  return (
    <>
      {isTenantAdmin && (
        <Checkbox
          mb={10}
          label={own.inEveryProject}
          checked={isTenantWide}
          onChange={(event) => setTenantWide(event.currentTarget.checked)}
        />
      )}
      <NativeSelect
        label={own.preset}
        description={own.presetText}
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        mb={10}
        value={preset}
        onChange={(event) => setPreset(event.currentTarget.value as keyof typeof presets)}
        data={Object.keys(presets).map((value) => ({ value, label: own.presets[value as keyof typeof presets] }))}
      />
      <SchemaForm
        schema={CreateApiKey}
        key={preset}
        fields={['name', 'scopes', 'expiresAt']}
        filled={presets[preset] ?? {}}
        send={async (body) => {
          const place = isTenantWide ? {} : { projectId: project.id };
          onMade((await client.call(apiKeyRoutes.create, { body: { ...body, ...place } })).key);
        }}
        onDone={onDone}
        submit={own.create}
        line={(flags) =>
          accountLine('api-keys', 'create', ...flags, ...(isTenantWide ? [] : [['--project', project.name] as const]))
        }
      />
    </>
  );
}

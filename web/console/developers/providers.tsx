import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { accountRoutes } from '../../../src/contract/identity/accounts.js';
import { settingsRoutes } from '../../../src/contract/projects/settings.js';
import { GenerateProjectTokenRequest, tokenRoutes } from '../../../src/contract/rooms/tokens.js';
import type { Result } from '../../../src/contract/route.js';
import { baseUrl } from '../../base.js';
import { useProject } from '../frame/project.js';
import { accountLine, CliLine, Copying, commandLine } from '../parts/copy.js';
import { Facts } from '../parts/facts.js';
import { Panel } from '../parts/page.js';
import { Refusal } from '../parts/refusal.js';
import { SchemaForm } from '../parts/schema-form.js';
import { Time } from '../parts/time.js';
import { useRead } from '../parts/use-read.js';
import { client, stranger } from '../session/session.js';
import { useWords } from '../words/all-words.js';

export default function Providers() {
  return (
    <div className="columns">
      <SignIn />
      <Rooms />
    </div>
  );
}

function SignIn() {
  const own = useWords().developers;
  const { data, error } = useQuery({
    queryKey: ['provider'],
    queryFn: () => stranger.call(accountRoutes.provider, {}),
    retry: false,
  });
  return (
    <Panel title={own.signIn}>
      {data === undefined && error !== null && <p>{own.noProvider}</p>}
      {data !== undefined && (
        <Facts
          of={[
            [own.issuer, data.issuer],
            [own.clientId, data.clientId],
            [own.redirectUri, `${baseUrl}/console/signed-in`],
            [own.redirectCli, data.redirectUri],
            [own.scope, data.scope],
            [own.deviceFlow, data.hasDeviceFlow ? own.yes : own.no],
            [
              own.problem,
              data.problem === null ? null : (
                <span key="problem" className="bad">
                  {data.problem}
                </span>
              ),
            ],
          ]}
        />
      )}
      <CliLine line={accountLine('auth', 'status')} />
    </Panel>
  );
}

function Rooms() {
  const words = useWords();
  const own = words.developers;
  const { params, project, may } = useProject();
  const [made, setMade] = useState<Result<typeof tokenRoutes.generateForProject> | null>(null);
  const { data, error } = useRead(settingsRoutes.get, { params });
  return (
    <Panel title={own.roomTokens}>
      <Refusal error={error} />
      {data !== undefined && (
        <Facts
          of={[
            [words.fields.tokenProvider, data.tokenProvider],
            ...Object.entries(data.tokenProviderSettings),
            [
              own.changedIn,
              <Link key="link" to={`/projects/${project.id}/administration/settings`}>
                {own.settings}
              </Link>,
            ],
          ]}
        />
      )}
      {may('moderator') && (
        <SchemaForm
          schema={GenerateProjectTokenRequest}
          fields={['roomId', 'userId', 'displayName', 'permissions']}
          send={async (body) => setMade(await client.call(tokenRoutes.generateForProject, { params, body }))}
          submit={own.makeToken}
          line={(flags) => commandLine('tokens', 'create', ...flags)}
        />
      )}
      {made !== null && (
        <>
          <p>{own.tokenMade}</p>
          <p>
            <code className="whole">{made.url === null ? made.token : `${made.url}#token=${made.token}`}</code>{' '}
            <Copying value={made.url === null ? made.token : `${made.url}#token=${made.token}`} label={own.copyToken} />
          </p>
          <Facts of={[[own.expires, <Time key="at" at={made.expiresAt} />]]} />
        </>
      )}
    </Panel>
  );
}

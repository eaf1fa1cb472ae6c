import { useState } from 'react';
import type { z } from 'zod';
import { ApiError } from '../../../src/client/errors.js';
import { idleThresholds } from '../../../src/client/idle-thresholds.js';
import { projectRoutes, UpdateProjectRequest } from '../../../src/contract/projects/projects.js';
import {
  type AppSettingsResponse,
  maskedSecret,
  overlapSecondsDefault,
  RotateProjectSecretRequest,
  settingsRoutes,
  TokenProviderSettings,
  UpdateAppSettingsRequest,
  UpdateE2EEncryptionRequest,
  UpsertAppSettingsRequest,
} from '../../../src/contract/projects/settings.js';
import { reportSettingsRoutes, UpdateReportSettingsRequest } from '../../../src/contract/reports/report-settings.js';
import { useProject } from '../frame/project.js';
import { Act } from '../parts/act.js';
import { Pending } from '../parts/answer.js';
import { accountLine, CliLine, Copying, commandLine, type Flag } from '../parts/copy.js';
import { Facts } from '../parts/facts.js';
import { Panel } from '../parts/page.js';
import { Refusal } from '../parts/refusal.js';
import { SchemaForm } from '../parts/schema-form.js';
import { Countdown, Time } from '../parts/time.js';
import { type Draft, textIn } from '../parts/typed-values.js';
import { useRead } from '../parts/use-read.js';
import { client } from '../session/session.js';
import { useWords } from '../words/all-words.js';

export default function Settings() {
  const words = useWords().administration;
  const { params, project, may } = useProject();
  const { data, error } = useRead(settingsRoutes.get, { params });
  const isUnset = error instanceof ApiError && error.code === 'settings_not_found';
  if (data === undefined && !isUnset) return <Refusal error={error} />;
  const settings = isUnset ? undefined : data;
  return (
    <div className="columns">
      <Panel title={words.rooms}>
        {settings === undefined && <p className="empty">{words.noSettings}</p>}
        {may('admin') ? <Rooms settings={settings} /> : settings !== undefined && <Shown settings={settings} />}
      </Panel>
      {may('admin') && (
        <div className="stack">
          <Panel title={words.project}>
            <SchemaForm
              schema={UpdateProjectRequest}
              start={{ name: project.name }}
              send={(body) => client.call(projectRoutes.update, { params, body })}
              submit={words.rename}
              line={(flags) => accountLine('projects', 'update', project.name, ...flags)}
            />
          </Panel>
          {settings !== undefined && <Privacy settings={settings} />}
          <Secret settings={settings} />
          <Reports />
        </div>
      )}
    </div>
  );
}

const roomFields = [
  'tokenProvider',
  'tokenProviderSettings',
  'botUserId',
  'botUserData',
  'transcriptRetentionDays',
  'minorsTranscriptRetentionDays',
  'speechConfidenceMin',
  'noSpeechProbabilityMax',
  'speechLanguage',
  'speechVocabulary',
  'gameName',
  'operatorName',
] as const;

/** The address has a flag; the command reads the keys from standard input. */
function providerFlags({ tokenProviderSettings = {} }: { readonly tokenProviderSettings?: unknown }): readonly Flag[] {
  const { url, ...secrets } = { ...(tokenProviderSettings as object) } as Readonly<Record<string, unknown>>;
  return [
    ['--provider-url', url === undefined ? undefined : String(url)],
    ...(Object.values(secrets).every((one) => one === maskedSecret) ? [] : [['--secrets-stdin'] as const]),
  ];
}

/** What each provider needs. */
const providerFields: Readonly<Record<string, Partial<Record<keyof TokenProviderSettings, true>>>> = {
  livekit: { url: true, apiKey: true, apiSecret: true },
  access_key: { accessKey: true },
  url: { url: true, authorization: true },
};
const pointless = (draft: Draft): readonly string[] =>
  providerFields[textIn(draft, 'tokenProvider')] === undefined ? ['tokenProviderSettings'] : [];
/** The request with the settings of the chosen provider alone. */
const forProvider = (schema: z.ZodObject) => (draft: Draft) => {
  const fields = providerFields[textIn(draft, 'tokenProvider')];
  return fields === undefined
    ? schema
    : schema.extend({ tokenProviderSettings: TokenProviderSettings.pick(fields as { url: true }).optional() });
};

function Rooms({ settings }: { readonly settings: AppSettingsResponse | undefined }) {
  const words = useWords();
  const { params } = useProject();
  const [idle, setIdle] = useState<Awaited<ReturnType<typeof idleThresholds>>>([]);
  const looked = async (body: UpdateAppSettingsRequest) =>
    setIdle(await idleThresholds(client, params.projectId, body));
  if (settings === undefined)
    return (
      <SchemaForm
        schema={UpsertAppSettingsRequest}
        fields={roomFields}
        filled={{ tokenProvider: 'embedded' }}
        hides={pointless}
        adapt={forProvider(UpsertAppSettingsRequest)}
        send={(body) => client.call(settingsRoutes.put, { params, body })}
        submit={words.save}
        line={(flags, body) => commandLine('settings', 'set', ...flags, ...providerFlags(body))}
      />
    );
  return (
    <>
      <SchemaForm
        schema={UpdateAppSettingsRequest}
        fields={roomFields}
        start={settings}
        hides={pointless}
        adapt={forProvider(UpdateAppSettingsRequest)}
        send={async (body) => {
          await client.call(settingsRoutes.update, { params, body });
          void looked(body);
        }}
        submit={words.save}
        line={(flags, body) => commandLine('settings', 'update', ...flags, ...providerFlags(body))}
      />
      <div role="status">
        {idle.map(({ setting, engine }) => (
          <p key={setting}>{words.administration.idleThreshold(words.fields[setting], engine)}</p>
        ))}
      </div>
    </>
  );
}

function Shown({ settings }: { readonly settings: AppSettingsResponse }) {
  const { fields } = useWords();
  const { tokenProvider, botUserId, transcriptRetentionDays, updatedAt } = settings;
  return (
    <>
      <Facts
        of={[
          [fields.tokenProvider, tokenProvider],
          [fields.botUserId, botUserId],
          [fields.transcriptRetentionDays, transcriptRetentionDays],
          [fields.updatedAt, <Time key="at" at={updatedAt} />],
        ]}
      />
      <CliLine line={commandLine('settings', 'get')} />
    </>
  );
}

function Privacy({ settings }: { readonly settings: AppSettingsResponse }) {
  const words = useWords();
  const { params } = useProject();
  const { debugAudioEnabled: isOn, e2eEncryptionMode: mode } = settings;
  return (
    <Panel title={words.administration.privacy}>
      <p>
        {isOn ? words.administration.soundKept : words.administration.soundNotKept}{' '}
        <Act
          label={isOn ? words.administration.stopSound : words.administration.keepSound}
          run={() => client.call(settingsRoutes.debugAudio, { params, body: { enabled: !isOn } })}
          line={commandLine('settings', 'debug-audio', isOn ? 'off' : 'on')}
        />
      </p>
      <SchemaForm
        key={mode}
        schema={UpdateE2EEncryptionRequest}
        filled={{ mode }}
        send={(body) => client.call(settingsRoutes.e2eEncryption, { params, body })}
        submit={words.save}
        line={(_, { mode: chosen = mode }) => commandLine('settings', 'e2e-encryption', String(chosen))}
      />
    </Panel>
  );
}

/** What people may report, how soon it is decided, and what needs two of a team. */
function Reports() {
  const words = useWords();
  const { params } = useProject();
  const reading = useRead(reportSettingsRoutes.get, { params });
  const { data } = reading;
  return (
    <Panel title={words.administration.reportSettings}>
      {data === undefined ? (
        <Pending of={reading} />
      ) : (
        <SchemaForm
          schema={UpdateReportSettingsRequest}
          start={data}
          send={(body) => client.call(reportSettingsRoutes.update, { params, body })}
          submit={words.save}
          line={(flags) => commandLine('reports', 'settings', 'set', ...flags)}
        />
      )}
    </Panel>
  );
}

/** The project secret is read when it is asked for, and forgotten with the page. */
function Secret({ settings }: { readonly settings: AppSettingsResponse | undefined }) {
  const words = useWords().administration;
  const { params } = useProject();
  const [secret, setSecret] = useState<string | null>(null);
  const show = async () => setSecret((await client.call(settingsRoutes.secret, { params })).secret);
  return (
    <Panel title={words.secret}>
      <p>{words.secretText}</p>
      {secret !== null && (
        <p>
          <code>{secret}</code> <Copying value={secret} label={words.secret} />
        </p>
      )}
      <div className="buttons">
        {secret === null && <Act label={words.showSecret} run={show} line={commandLine('settings', 'secret')} />}
        {settings?.hasSecret === true && (
          <Act
            label={words.revokeSecret}
            tone="red"
            confirm={words.revokeSecretText}
            run={() => client.call(settingsRoutes.revokeSecret, { params })}
            onDone={() => setSecret(null)}
            line={commandLine('settings', 'revoke-secret')}
          />
        )}
      </div>
      {settings !== undefined && <Rotate onDone={() => setSecret(null)} />}
    </Panel>
  );
}

function Rotate({ onDone }: { readonly onDone: () => void }) {
  const words = useWords().administration;
  const { params } = useProject();
  const [rotated, setRotated] = useState<{ readonly previousUntil: string | null } | null>(null);
  return (
    <>
      <p role="status">
        {rotated === null && words.rotateSecretText}
        {rotated !== null && rotated.previousUntil === null && words.previousRefused}
        {rotated !== null && rotated.previousUntil !== null && (
          <>
            {words.previousAccepted} <Countdown at={rotated.previousUntil} />
          </>
        )}
      </p>
      <SchemaForm
        schema={RotateProjectSecretRequest}
        filled={{ overlapSeconds: overlapSecondsDefault }}
        send={async (body) => {
          setRotated(await client.call(settingsRoutes.rotateSecret, { params, body }));
          onDone();
        }}
        submit={words.rotateSecret}
        line={(flags) => commandLine('settings', 'rotate-secret', ...flags)}
      />
    </>
  );
}

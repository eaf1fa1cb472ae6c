import * as Flags from '@oclif/core/flags';
import { ProjectCommand } from '../../src/cli/command/command.js';
import { nameFlag, optionalNameArgument } from '../../src/cli/names/kinds.js';
import { thresholdWarnings } from '../../src/cli/projects/threshold-warnings.js';
import { ApiError } from '../../src/client/errors.js';
import { type AppSettingsResponse, settingsRoutes } from '../../src/contract/projects/settings.js';
import { StateError } from '../../src/terminal/state-error.js';
import { UsageError } from '../../src/terminal/usage-error.js';

/** Settings that can be read and set; secrets can only be set. */
const copied = [
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

export default class SettingsCopy extends ProjectCommand {
  static override summary = 'Copy the settings of one project to another.';
  static override description =
    'Secrets are not copied: set a provider other than embedded, and the password of mode manual, in the other project yourself.';
  static override examples = [
    '<%= config.bin %> <%= command.id %> --from Staging --to Live --dry-run',
    '<%= config.bin %> <%= command.id %> Staging Live',
  ];
  static override args = {
    from: optionalNameArgument('project', 'Project to copy from'),
    to: optionalNameArgument('project', 'Project to copy to'),
  };
  static override flags = {
    from: nameFlag('project', 'Project to copy from, by name or id; default: that of --project'),
    to: nameFlag('project', 'Project to copy to, by name or id'),
    'dry-run': Flags.boolean({ description: 'Show what would change' }),
  };

  async run(): Promise<void> {
    const { args, flags } = await this.input(SettingsCopy);
    if (args.from !== undefined && (args.to === undefined || flags.from !== undefined || flags.to !== undefined))
      throw new UsageError('Write both projects, as in `settings copy Staging Live`, or --from and --to.');
    const target = args.to ?? flags.to;
    if (target === undefined) throw new UsageError('Name the project to copy to with --to.');
    const from = await this.client.call(settingsRoutes.get, {
      params: { projectId: args.from ?? flags.from ?? (await this.projectId()) },
    });
    const before = await this.settingsOf(target);
    const changes = changed(from, before);
    this.list(changes, changes, ['setting', 'before', 'after']);
    for (const line of left(from, before)) this.logToStderr(line);
    if (flags['dry-run'] || changes.length === 0) return;
    await this.apply(target, from, before);
    this.logToStderr('The settings are copied.');
    const set = Object.fromEntries(changes.map(({ setting, after }) => [setting, after]));
    for (const warning of await thresholdWarnings(this.client, target, set)) this.logToStderr(warning);
  }

  private async settingsOf(projectId: string): Promise<AppSettingsResponse | null> {
    return this.client.call(settingsRoutes.get, { params: { projectId } }).catch((error: unknown) => {
      if (error instanceof ApiError && error.code === 'settings_not_found') return null;
      throw error;
    });
  }

  private async apply(projectId: string, from: AppSettingsResponse, before: AppSettingsResponse | null): Promise<void> {
    const params = { projectId };
    const { tokenProvider, botUserId, botUserData, transcriptRetentionDays, minorsTranscriptRetentionDays } = from;
    const { speechConfidenceMin, noSpeechProbabilityMax, speechLanguage, speechVocabulary, gameName, operatorName } =
      from;
    const fields = {
      ...{ botUserId, botUserData, transcriptRetentionDays, minorsTranscriptRetentionDays },
      ...{ speechConfidenceMin, noSpeechProbabilityMax, speechLanguage, speechVocabulary, gameName, operatorName },
    };
    if (before === null) {
      if (tokenProvider !== 'embedded')
        throw new StateError(
          'settings_not_found',
          `The project has no settings yet. First \`earshot settings set --token-provider ${tokenProvider}\` there.`,
          { projectId },
        );
      await this.client.call(settingsRoutes.put, { params, body: { tokenProvider, ...fields } });
    } else await this.client.call(settingsRoutes.update, { params, body: fields });
    if (from.debugAudioEnabled !== (before?.debugAudioEnabled ?? false))
      await this.client.call(settingsRoutes.debugAudio, { params, body: { enabled: from.debugAudioEnabled } });
    if (copiesMode(from, before))
      await this.client.call(settingsRoutes.e2eEncryption, { params, body: { mode: from.e2eEncryptionMode } });
  }
}

const copiesMode = (from: AppSettingsResponse, before: AppSettingsResponse | null): boolean =>
  from.e2eEncryptionMode !== 'manual' && from.e2eEncryptionMode !== before?.e2eEncryptionMode;

function changed(from: AppSettingsResponse, before: AppSettingsResponse | null) {
  const fields = [
    ...copied,
    'debugAudioEnabled' as const,
    ...(copiesMode(from, before) ? (['e2eEncryptionMode'] as const) : []),
    ...(before === null ? (['tokenProvider'] as const) : []),
  ];
  return fields
    .map((setting) => ({ setting, before: before?.[setting] ?? null, after: from[setting] }))
    .filter(({ before: old, after }) => JSON.stringify(old) !== JSON.stringify(after));
}

/** Lists the settings that are not copied, in sentences. */
const left = (from: AppSettingsResponse, before: AppSettingsResponse | null): string[] => [
  ...(before !== null && before.tokenProvider !== from.tokenProvider
    ? [
        `The provider stays ${before.tokenProvider}. To change it: \`earshot settings set --token-provider ${from.tokenProvider}\`.`,
      ]
    : []),
  ...(from.e2eEncryptionMode === 'manual'
    ? [
        'The encryption is not copied, because mode manual has a password. To set both: `earshot settings e2e-encryption manual`.',
      ]
    : []),
];

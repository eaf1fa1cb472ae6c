/** Settings of a project. Answers never contain a secret, except where the contract says so. */

import { DomainError } from '../../../../src/contract/errors.js';
import {
  type AppSettingsResponse,
  maskedSecret,
  type TokenProvider,
  type TokenProviderSettings,
  type UpdateAppSettingsRequest,
  type UpdateE2EEncryptionRequest,
  type UpsertAppSettingsRequest,
} from '../../../../src/contract/projects/settings.js';
import { timeOrNull } from '../../../platform/database/column-values.js';
import type { Database, Transaction } from '../../../platform/database/database.js';
import type { ProjectGrant } from '../../../platform/http/caller.js';
import { uuidv7 } from '../../../platform/ids/new-id.js';
import type { SecretBox } from '../../../platform/secrets/secret-box.js';
import type { Clock } from '../../../platform/time/clock.js';
import type { Billing } from './billing.js';
import { isSecretField, refuseElsewhere, refuseUnusable } from './rules.js';
import { providerFields, type SettingsRow, type SettingsStore, type SettingsValues, toSettings } from './store.js';
import { vocabularyFrom } from './vocabulary.js';

const context = (projectId: string, field: string): string => `settings:${projectId}:${field}`;

/** The settings that rooms, bots and tokens need, with secrets decrypted. */
interface OpenSettings {
  readonly tokenProvider: TokenProvider;
  readonly tokenProviderSettings: TokenProviderSettings;
  readonly botUserId: string | null;
  readonly botUserData: Record<string, unknown> | null;
  readonly debugAudioEnabled: boolean;
  readonly e2eEncryptionMode: 'manual' | 'disabled' | 'automatic';
  readonly e2eEncryptionPassword: string | null;
  readonly speechConfidenceMin: number | null;
  readonly noSpeechProbabilityMax: number | null;
  readonly speechLanguage: string | null;
  readonly speechVocabulary: readonly string[];
}

/** The settings that a request sends; what it leaves out stays. */
const keptUnlessSent = ({
  transcriptRetentionDays,
  minorsTranscriptRetentionDays,
  speechConfidenceMin,
  noSpeechProbabilityMax,
  speechLanguage,
  speechVocabulary,
  gameName,
  operatorName,
}: UpdateAppSettingsRequest) => ({
  ...(transcriptRetentionDays === undefined ? {} : { transcriptRetentionDays }),
  ...(minorsTranscriptRetentionDays === undefined ? {} : { minorsTranscriptRetentionDays }),
  ...(speechConfidenceMin === undefined ? {} : { speechConfidenceMin }),
  ...(noSpeechProbabilityMax === undefined ? {} : { noSpeechProbabilityMax }),
  ...(speechLanguage === undefined ? {} : { speechLanguage }),
  ...(speechVocabulary === undefined ? {} : { speechVocabulary: vocabularyFrom(speechVocabulary ?? []) }),
  ...(gameName === undefined ? {} : { gameName }),
  ...(operatorName === undefined ? {} : { operatorName }),
});

export class SettingsService {
  constructor(
    private readonly database: Database,
    private readonly settings: SettingsStore,
    private readonly billing: Billing,
    private readonly box: SecretBox,
    private readonly now: Clock,
  ) {}

  /** Throws settings_not_found. */
  async get(grant: ProjectGrant, showsPassword: boolean): Promise<AppSettingsResponse> {
    return this.show(grant, await this.existing(grant.projectId), showsPassword);
  }

  /** With secrets decrypted, for the daemon's own use; null when there are none. */
  async open(projectId: string): Promise<OpenSettings | null> {
    const row = await this.settings.find(projectId);
    if (row === null) return null;
    const shown = toSettings(row, { name: '', billingProjectId: '' }, null);
    return {
      tokenProvider: shown.tokenProvider,
      tokenProviderSettings: this.opened(projectId, providerFields(row)),
      botUserId: row.botUserId,
      botUserData: shown.botUserData,
      debugAudioEnabled: row.debugAudioEnabled,
      e2eEncryptionMode: shown.e2eEncryptionMode,
      e2eEncryptionPassword: this.password(row),
      speechConfidenceMin: row.speechConfidenceMin,
      noSpeechProbabilityMax: row.noSpeechProbabilityMax,
      speechLanguage: row.speechLanguage,
      speechVocabulary: shown.speechVocabulary,
    };
  }

  /** Creates or replaces provider and bot fields; the rest stays. Throws validation_failed, secret_needed_again. */
  async put(grant: ProjectGrant, request: UpsertAppSettingsRequest): Promise<AppSettingsResponse> {
    const row = await this.database.transaction((tx) => this.upsert(tx, grant.projectId, request));
    return this.show(grant, row);
  }

  async upsert(tx: Transaction, projectId: string, request: UpsertAppSettingsRequest): Promise<SettingsRow> {
    const before = await this.settings.find(projectId, tx);
    const stored = before?.tokenProvider === request.tokenProvider ? providerFields(before) : {};
    const sealed = this.sealed(projectId, request.tokenProviderSettings, stored);
    refuseUnusable(request.tokenProvider, sealed);
    refuseElsewhere(stored, sealed);
    const now = this.now();
    const fields = {
      tokenProvider: request.tokenProvider,
      tokenProviderSettings: sealed,
      botUserId: request.botUserId ?? null,
      botUserData: request.botUserData ?? null,
      ...keptUnlessSent(request),
      updatedAt: now,
    };
    if (before !== null) return this.settings.update(tx, projectId, fields);
    return this.settings.insert(tx, {
      id: uuidv7(),
      projectId,
      debugAudioEnabled: false,
      e2eEncryptionMode: 'disabled',
      e2eEncryptionPassword: null,
      transcriptRetentionDays: null,
      minorsTranscriptRetentionDays: null,
      speechConfidenceMin: null,
      noSpeechProbabilityMax: null,
      speechLanguage: null,
      speechVocabulary: [],
      ...{ gameName: null, operatorName: null },
      secret: null,
      previousSecret: null,
      previousSecretUntil: null,
      createdAt: now,
      ...fields,
    });
  }

  /**
   * Changes only the fields that are sent; null clears. Throws settings_not_found, validation_failed,
   * secret_needed_again.
   */
  async update(grant: ProjectGrant, request: UpdateAppSettingsRequest): Promise<AppSettingsResponse> {
    const { projectId } = grant;
    return this.change(grant, (before) => {
      const tokenProvider =
        request.tokenProvider ?? toSettings(before, { name: '', billingProjectId: '' }, null).tokenProvider;
      const stored: Record<string, string> = tokenProvider === before.tokenProvider ? providerFields(before) : {};
      const sealed =
        request.tokenProviderSettings === undefined && request.tokenProvider === undefined
          ? stored
          : { ...stored, ...this.sealed(projectId, request.tokenProviderSettings ?? {}, stored) };
      refuseUnusable(tokenProvider, sealed);
      refuseElsewhere(stored, sealed);
      return {
        tokenProvider,
        tokenProviderSettings: sealed,
        ...(request.botUserId === undefined ? {} : { botUserId: request.botUserId }),
        ...(request.botUserData === undefined ? {} : { botUserData: request.botUserData }),
        ...keptUnlessSent(request),
      };
    });
  }

  /** Throws settings_not_found. */
  async remove({ projectId }: ProjectGrant): Promise<{ id: string; deleted: true }> {
    return this.database.transaction(async (tx) => {
      const { id } = await this.existing(projectId, tx);
      await this.settings.remove(tx, projectId);
      return { id, deleted: true };
    });
  }

  setDebugAudio(grant: ProjectGrant, enabled: boolean): Promise<AppSettingsResponse> {
    return this.change(grant, () => ({ debugAudioEnabled: enabled }));
  }

  /** `manual` needs a password, sent or stored; the other modes clear it. */
  setEncryption(grant: ProjectGrant, { mode, password }: UpdateE2EEncryptionRequest): Promise<AppSettingsResponse> {
    return this.change(grant, (before) => {
      if (mode !== 'manual') return { e2eEncryptionMode: mode, e2eEncryptionPassword: null };
      const kept = password === undefined || password === maskedSecret;
      if (kept && before.e2eEncryptionPassword === null) throw new DomainError('e2ee_password_required');
      return {
        e2eEncryptionMode: mode,
        ...(kept ? {} : { e2eEncryptionPassword: this.box.seal(password, context(before.projectId, 'e2ee')) }),
      };
    });
  }

  /** The stored copy of the project secret. Throws secret_not_found. */
  async secret({ projectId }: ProjectGrant): Promise<{ secret: string }> {
    const secret = await this.secretOf(projectId);
    if (secret === null) throw new DomainError('secret_not_found');
    return { secret };
  }

  private async secretOf(projectId: string): Promise<string | null> {
    const row = await this.settings.find(projectId);
    return row === null || row.secret === null ? null : this.box.open(row.secret, context(projectId, 'secret'));
  }

  /** The secrets that sign now: the current one, and for a time the one before. */
  async signingSecrets(projectId: string): Promise<string[]> {
    const row = await this.settings.find(projectId);
    if (row === null) return [];
    const { secret, previousSecret, previousSecretUntil } = row;
    const isOld = previousSecretUntil === null || previousSecretUntil <= this.now();
    return [secret, isOld ? null : previousSecret].flatMap((sealed) =>
      sealed === null ? [] : [this.box.open(sealed, context(projectId, 'secret'))],
    );
  }

  /** Throws settings_not_found, no_secret_found, secret_unchanged, billing_unavailable. */
  async rotateSecret(
    { projectId }: ProjectGrant,
    overlapSeconds: number,
  ): Promise<{ hasSecret: true; previousUntil: string | null }> {
    await this.existing(projectId);
    const { billingProjectId } = await this.settings.project(projectId);
    const next = await this.billing.next(billingProjectId, await this.secretOf(projectId));
    return this.database.transaction(async (tx) => {
      const before = await this.settings.lock(tx, projectId);
      if (before === null) throw new DomainError('settings_not_found');
      const updatedAt = this.now();
      const overlaps = overlapSeconds > 0 && before.secret !== null;
      const previousSecretUntil = overlaps ? new Date(updatedAt.getTime() + overlapSeconds * 1_000) : null;
      await next.store(tx);
      await this.settings.update(tx, projectId, {
        ...{ secret: this.box.seal(next.secret, context(projectId, 'secret')), updatedAt },
        ...{ previousSecret: overlaps ? before.secret : null, previousSecretUntil },
      });
      return { hasSecret: true, previousUntil: timeOrNull(previousSecretUntil) };
    });
  }

  /** Copies the secret from the billing system. Throws no_secret_found, settings_not_found. */
  async syncSecret(grant: ProjectGrant): Promise<{ hasSecret: boolean }> {
    const { billingProjectId } = await this.settings.project(grant.projectId);
    const secret = await this.billing.secretOf(billingProjectId);
    if (secret === null) throw new DomainError('no_secret_found');
    await this.change(grant, () => ({ secret: this.box.seal(secret, context(grant.projectId, 'secret')) }));
    return { hasSecret: true };
  }

  async revokeSecret({ projectId }: ProjectGrant): Promise<{ hasSecret: boolean }> {
    await this.database.transaction(async (tx) => {
      if ((await this.settings.find(projectId, tx)) !== null)
        await this.settings.update(tx, projectId, {
          ...{ secret: null, previousSecret: null, previousSecretUntil: null },
          updatedAt: this.now(),
        });
    });
    return { hasSecret: false };
  }

  private async change(
    grant: ProjectGrant,
    fields: (before: SettingsRow) => Partial<SettingsValues>,
  ): Promise<AppSettingsResponse> {
    const row = await this.database.transaction(async (tx) => {
      const before = await this.settings.lock(tx, grant.projectId);
      if (before === null) throw new DomainError('settings_not_found');
      return this.settings.update(tx, grant.projectId, { ...fields(before), updatedAt: this.now() });
    });
    return this.show(grant, row);
  }

  private async existing(projectId: string, tx?: Transaction): Promise<SettingsRow> {
    const row = await this.settings.find(projectId, tx);
    if (row === null) throw new DomainError('settings_not_found');
    return row;
  }

  private async show(grant: ProjectGrant, row: SettingsRow, showsPassword = true): Promise<AppSettingsResponse> {
    const password = this.password(row);
    const visible = password === null || showsPassword ? password : maskedSecret;
    return toSettings(row, await this.settings.project(grant.projectId), visible);
  }

  private password(row: SettingsRow): string | null {
    return row.e2eEncryptionPassword === null
      ? null
      : this.box.open(row.e2eEncryptionPassword, context(row.projectId, 'e2ee'));
  }

  /** `***` keeps the stored secret. */
  private sealed(projectId: string, sent: TokenProviderSettings, stored: Record<string, string>) {
    const result: Record<string, string> = {};
    for (const [name, value] of Object.entries(sent)) {
      if (value === undefined) continue;
      if (!isSecretField(name)) result[name] = value;
      else if (value !== maskedSecret) result[name] = this.box.seal(value, context(projectId, name));
      else if (stored[name] !== undefined) result[name] = stored[name];
    }
    return result;
  }

  private opened(projectId: string, stored: Record<string, string>): TokenProviderSettings {
    const entries = Object.entries(stored).map(([name, value]) => [
      name,
      isSecretField(name) ? this.box.open(value, context(projectId, name)) : value,
    ]);
    return Object.fromEntries(entries);
  }
}

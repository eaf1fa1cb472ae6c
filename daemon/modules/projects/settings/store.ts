/** Rows of project settings. Secrets are encrypted before they reach a row and decrypted only for use. */
import { z } from 'zod';
import {
  type AppSettingsResponse,
  encryptionModes,
  maskedSecret,
  tokenProviders,
} from '../../../../src/contract/projects/settings.js';
import { jsonOf, jsonOrNull, type WithValues, withJson } from '../../../platform/database/column-values.js';
import type { Database, Reader, Transaction } from '../../../platform/database/database.js';
import { asLostRace } from '../../../platform/database/errors.js';
import { lockRow } from '../../../platform/database/row-lock.js';
import { isSecretField } from './rules.js';

export interface SettingsRow {
  readonly id: string;
  readonly projectId: string;
  readonly tokenProvider: string;
  /** JSON of TokenProviderSettings, with the secrets encrypted. */
  readonly tokenProviderSettings: string;
  readonly botUserId: string | null;
  readonly botUserData: string | null;
  readonly debugAudioEnabled: boolean;
  readonly e2eEncryptionMode: string;
  readonly e2eEncryptionPassword: string | null;
  readonly transcriptRetentionDays: number | null;
  readonly minorsTranscriptRetentionDays: number | null;
  readonly speechConfidenceMin: number | null;
  readonly noSpeechProbabilityMax: number | null;
  readonly speechLanguage: string | null;
  /** JSON of an array of strings. */
  readonly speechVocabulary: string;
  readonly gameName: string | null;
  readonly operatorName: string | null;
  readonly secret: string | null;
  readonly previousSecret: string | null;
  readonly previousSecretUntil: Date | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

export type SettingsValues = WithValues<
  SettingsRow,
  {
    readonly tokenProviderSettings: Readonly<Record<string, string>>;
    readonly botUserData: AppSettingsResponse['botUserData'];
    readonly speechVocabulary: readonly string[];
  }
>;

const readFields = jsonOf(z.record(z.string(), z.string()));
const readWords = jsonOf(z.array(z.string()));
/** Fields of the provider, the secret ones sealed. */
export const providerFields = ({
  tokenProviderSettings,
}: Pick<SettingsRow, 'tokenProviderSettings'>): Record<string, string> => readFields(tokenProviderSettings);

const masked = (stored: Record<string, string>): Record<string, string> =>
  Object.fromEntries(Object.entries(stored).map(([name, value]) => [name, isSecretField(name) ? maskedSecret : value]));

/** The row as the API shows it; `password` is what the caller may see of it. */
export const toSettings = (
  row: SettingsRow,
  project: { name: string; billingProjectId: string },
  password: string | null,
): AppSettingsResponse => ({
  id: row.id,
  appId: row.projectId,
  tokenProvider: tokenProviders.find((provider) => provider === row.tokenProvider) ?? 'embedded',
  tokenProviderSettings: masked(providerFields(row)),
  botUserId: row.botUserId,
  botUserData: jsonOrNull(row.botUserData),
  isConfigured: true,
  hasSecret: row.secret !== null,
  debugAudioEnabled: row.debugAudioEnabled,
  projectName: project.name,
  billingProjectId: project.billingProjectId,
  e2eEncryptionMode: encryptionModes.find((mode) => mode === row.e2eEncryptionMode) ?? 'disabled',
  e2eEncryptionPassword: password,
  transcriptRetentionDays: row.transcriptRetentionDays,
  minorsTranscriptRetentionDays: row.minorsTranscriptRetentionDays,
  speechConfidenceMin: row.speechConfidenceMin,
  noSpeechProbabilityMax: row.noSpeechProbabilityMax,
  speechLanguage: row.speechLanguage,
  speechVocabulary: readWords(row.speechVocabulary),
  gameName: row.gameName,
  operatorName: row.operatorName,
  updatedAt: row.updatedAt.toISOString(),
});

export class SettingsStore {
  constructor(private readonly database: Database) {}

  find = (projectId: string, reader: Reader | Transaction = this.database.read) =>
    reader.projectSettings.findUnique({ where: { projectId } });

  /** The row, locked until the transaction has ended. */
  async lock(tx: Transaction, projectId: string) {
    await lockRow(tx, this.database.dialect, 'ProjectSettings', projectId, 'projectId');
    return this.find(projectId, tx);
  }

  /** The projects that delete transcripts after a number of days. */
  async keptTranscripts(): Promise<{ projectId: string; transcriptRetentionDays: number }[]> {
    const rows = await this.database.read.projectSettings.findMany({
      where: { transcriptRetentionDays: { not: null } },
      select: { projectId: true, transcriptRetentionDays: true },
    });
    return rows.flatMap(({ projectId, transcriptRetentionDays }) =>
      transcriptRetentionDays === null ? [] : [{ projectId, transcriptRetentionDays }],
    );
  }

  /** The projects that delete what people under age said after a number of days. */
  async keptOfMinors(): Promise<{ projectId: string; minorsTranscriptRetentionDays: number }[]> {
    const rows = await this.database.read.projectSettings.findMany({
      where: { minorsTranscriptRetentionDays: { not: null } },
      select: { projectId: true, minorsTranscriptRetentionDays: true },
    });
    return rows.flatMap(({ projectId, minorsTranscriptRetentionDays }) =>
      minorsTranscriptRetentionDays === null ? [] : [{ projectId, minorsTranscriptRetentionDays }],
    );
  }

  /** What the game is called, and who runs it, as people read it. */
  async serviceOf(projectId: string): Promise<{ readonly game: string; readonly operator: string | null }> {
    const [row, project] = await Promise.all([this.find(projectId), this.project(projectId)]);
    return { game: row?.gameName ?? project.name, operator: row?.operatorName ?? null };
  }

  project = (projectId: string, reader: Reader | Transaction = this.database.read) =>
    reader.project.findUniqueOrThrow({ where: { id: projectId }, select: { name: true, billingProjectId: true } });

  /** Throws LostRace. */
  insert = (tx: Transaction, row: SettingsValues) =>
    tx.projectSettings
      .create({ data: withJson(row, 'tokenProviderSettings', 'botUserData', 'speechVocabulary') })
      .catch(asLostRace);

  update = (tx: Transaction, projectId: string, fields: Partial<SettingsValues>) =>
    tx.projectSettings.update({
      where: { projectId },
      data: withJson(fields, 'tokenProviderSettings', 'botUserData', 'speechVocabulary'),
    });

  /** The id of the deleted settings, or null. */
  async remove(tx: Transaction, projectId: string): Promise<string | null> {
    const row = await this.find(projectId, tx);
    const { count } = await tx.projectSettings.deleteMany({ where: { projectId } });
    return row !== null && count > 0 ? row.id : null;
  }

  billingAccount = (billingProjectId: string) =>
    this.database.read.billingAccount.findUnique({ where: { billingProjectId } });

  setBillingSecret = async (
    tx: Transaction,
    billingProjectId: string,
    secret: string,
    createdAt: Date,
  ): Promise<void> => {
    const create = { billingProjectId, secret, createdAt };
    await tx.billingAccount.upsert({ where: { billingProjectId }, create, update: { secret } });
  };

  insertBillingAccount = (tx: Transaction, row: { billingProjectId: string; secret: string; createdAt: Date }) =>
    tx.billingAccount.create({ data: row });
}

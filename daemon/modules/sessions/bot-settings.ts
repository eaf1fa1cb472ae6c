/** The settings of a project that decide whether and how a bot listens. */
export interface BotSettings {
  tokenProvider: string;
  botUserId: string | null;
  botUserData: Record<string, unknown> | null;
  debugAudioEnabled: boolean;
  speechConfidenceMin: number | null;
  noSpeechProbabilityMax: number | null;
  speechLanguage: string | null;
  speechVocabulary: readonly string[];
  e2eEncryptionMode: string;
  e2eEncryptionPassword: string | null;
}

export interface VoiceSettings {
  open(projectId: string): Promise<BotSettings | null>;
}

export interface RoomKeyLookup {
  /** Returns the encryption key of a room now; null where it is not encrypted. */
  inForce(projectId: string, roomId: string): Promise<{ key: string; keyIndex: number } | null>;
}

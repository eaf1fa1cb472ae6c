/** Messages as callers see them: a recording counts only while its project keeps recordings. */
import type { Message } from '../../../src/contract/sessions/sessions.js';
import type { Clock } from '../../platform/time/clock.js';
import { type MessageRow, toMessage } from './message-store.js';

/** Tells whether the project keeps debug audio; null without settings. */
export interface AudioSettings {
  open(projectId: string): Promise<{ readonly debugAudioEnabled: boolean } | null>;
}

export class MessageView {
  constructor(
    private readonly settings: AudioSettings,
    private readonly now: Clock,
  ) {}

  /** Messages of one project. */
  async shown(projectId: string, rows: readonly MessageRow[]): Promise<Message[]> {
    const now = this.now();
    const mayHear = await this.keepsAudio(projectId);
    return rows.map((row) => {
      const message = toMessage(row, now);
      return { ...message, hasDebugAudio: message.hasDebugAudio && mayHear };
    });
  }

  keepsAudio = async (projectId: string): Promise<boolean> =>
    (await this.settings.open(projectId))?.debugAudioEnabled === true;
}

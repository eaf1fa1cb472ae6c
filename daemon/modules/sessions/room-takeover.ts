/**
 * Prepares the sessions for rooms that this daemon has from now on: at its start, or because the daemon that had them died
 * or was cut off. People who were in a room need a moment to come back, and no session ends meanwhile.
 */
import type { Session } from '../../../src/contract/sessions/sessions.js';
import type { Database } from '../../platform/database/database.js';
import type { RoleLease } from '../../platform/database/role-lease.js';
import type { Clock } from '../../platform/time/clock.js';
import { noCounters } from './bot/status.js';
import type { BotStatus, SessionService } from './service.js';
import type { TranscriptService } from './transcripts.js';

/** The role of the daemon that has the rooms. */
export type VoiceRole = Pick<RoleLease, 'isHeld' | 'isTakenOver' | 'url' | 'onChange'>;

interface TakeoverNeeds {
  readonly sessions: Pick<SessionService, 'wanted' | 'reportBot'>;
  readonly role: Pick<VoiceRole, 'isTakenOver'>;
  readonly database: Pick<Database, 'transaction'>;
  readonly transcripts: Pick<TranscriptService, 'note'>;
  readonly now: Clock;
}

export const comeBackMs = 60_000;
const line = 'The voice rooms were interrupted and are open again. You can join again.';
export const joining: BotStatus = { state: 'joining', cause: null };

export class RoomTakeover {
  /** Sessions whose people are expected back. */
  private readonly expecting = new Set<string>();

  constructor(private readonly needs: TakeoverNeeds) {}

  /** Resolves once no session shows a state from before. */
  async begin(): Promise<void> {
    const { sessions, role, database, transcripts } = this.needs;
    this.expecting.clear();
    for (const session of await sessions.wanted()) {
      const { projectId, id, bot } = session;
      if (bot.state === 'failed') continue;
      if (role.isTakenOver && hadPeople(session)) {
        this.expecting.add(id);
        await database.transaction((tx) => transcripts.note(tx, session, null, line));
      }
      await sessions.reportBot(projectId, id, joining, noCounters);
    }
  }

  /** Since when the room of a bot that starts counts as empty; later than now where people are expected back. */
  emptySinceMs(sessionId: string): number {
    return this.needs.now().getTime() + (this.expecting.delete(sessionId) ? comeBackMs : 0);
  }
}

const hadPeople = ({ bot: { state, cause, counters } }: Session): boolean =>
  (state === 'listening' || cause === 'no_voice_daemon') && cause !== 'room_empty' && counters.peers > 0;

/**
 * Says in the sessions that ask for a bot that no daemon runs the voice rooms. While they change hands, for some ten seconds, it
 * says nothing; the daemon that gets them says what its bots do.
 */
import type { Logger } from '../../platform/observability/logger.js';
import { Repeat } from '../../platform/scheduler/repeat.js';
import type { VoiceRole } from './room-takeover.js';
import type { BotStatus, SessionService } from './service.js';

const lookMs = 5_000;
/** Longer than the rooms change hands. */
const absentLooks = 4;
const absent: BotStatus = { state: 'joining', cause: 'no_voice_daemon' };

interface AbsenceNeeds {
  readonly sessions: Pick<SessionService, 'wanted' | 'reportBot'>;
  readonly role: Pick<VoiceRole, 'url'>;
}

export class VoiceAbsence {
  private looks = 0;
  private readonly repeat: Repeat;

  constructor(
    private readonly needs: AbsenceNeeds,
    log: Logger,
  ) {
    this.repeat = new Repeat('voice-absence', lookMs, () => this.look(), log);
  }

  start = (): void => this.repeat.start();

  stop = (): Promise<void> => this.repeat.stop();

  private async look(): Promise<void> {
    const { sessions, role } = this.needs;
    this.looks = role.url === null ? this.looks + 1 : 0;
    if (this.looks < absentLooks) return;
    for (const { projectId, id, bot } of await sessions.wanted())
      if (bot.state !== 'failed') await sessions.reportBot(projectId, id, absent, bot.counters);
  }
}

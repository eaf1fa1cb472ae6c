/** Stores the states that bots report: those of a session one after the other, tenants in turn. */
import type { Session } from '../../../src/contract/sessions/sessions.js';
import { FairTurns } from '../../platform/limits/fair-turns.js';
import type { Logger } from '../../platform/observability/logger.js';
import type { SessionBot } from './bot/bot.js';
import type { VoiceRole } from './room-takeover.js';
import type { SessionService } from './service.js';

interface BotReportsNeeds {
  readonly sessions: Pick<SessionService, 'reportBot'>;
  readonly role: Pick<VoiceRole, 'isHeld'>;
  readonly log: Logger;
}

export class BotReports {
  private readonly turns = new FairTurns('session_stores');
  /** The last report of each session, until it is stored. */
  private readonly pending = new Map<string, Promise<void>>();

  constructor(private readonly needs: BotReportsNeeds) {}

  /** Resolves when the state is stored, or could not be; the last one reported is the last one stored. */
  async store({ tenantId, projectId, id }: Session, bot: SessionBot): Promise<void> {
    if (!this.needs.role.isHeld) return;
    const { state, cause, counters } = bot.status();
    const store = () => this.needs.sessions.reportBot(projectId, id, { state, cause }, counters);
    const stored = (this.pending.get(id) ?? Promise.resolve())
      .then(() => this.turns.run(tenantId, store))
      .catch((error: unknown) => {
        this.needs.log.error({ err: error, sessionId: id }, 'the state of a bot could not be stored');
      })
      .finally(() => {
        if (this.pending.get(id) === stored) this.pending.delete(id);
      });
    this.pending.set(id, stored);
    return stored;
  }

  /** Resolves when all that was reported is stored. */
  async settled(): Promise<void> {
    await Promise.all(this.pending.values());
  }
}

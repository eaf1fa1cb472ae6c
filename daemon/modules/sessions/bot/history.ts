/** Reads from the log what the bot of a session did and why. */

import type { BotPast } from '../../../../src/contract/sessions/bots.js';
import { Session } from '../../../../src/contract/sessions/sessions.js';
import type { EventLog } from '../../../platform/events/log.js';

/** All of them carry the session as it was then. */
const types = ['session.created', 'session.updated', 'bot.status.changed'] as const;

interface KnownSessions {
  /** Throws session_not_found. */
  get(projectId: string, id: string): Promise<Session>;
}

export class BotHistory {
  constructor(
    private readonly log: Pick<EventLog, 'timelines'>,
    private readonly sessions: KnownSessions,
  ) {}

  /** Newest first. Several events say the same where something else of the session changed. Throws session_not_found. */
  async read(projectId: string, id: string, limit: number): Promise<BotPast> {
    await this.sessions.get(projectId, id);
    const events = await this.log.timelines.ofResource(projectId, `session:${id}`, types, limit);
    const states = new Map<string, BotPast[number]>();
    for (const { payload } of events) {
      const session = Session.safeParse(payload.data);
      if (!session.success) continue; // redacted
      const { state, cause, since } = session.data.bot;
      states.set(`${state} ${cause} ${since}`, { state, cause, since });
    }
    return [...states.values()];
  }
}

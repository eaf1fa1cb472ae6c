/** Look-ups of sessions for other modules. */
import type { Session } from '../../../src/contract/sessions/sessions.js';
import { type SessionStore, toSession } from './store.js';

export class SessionDirectory {
  constructor(private readonly sessions: SessionStore) {}

  /** Returns the sessions of the project among the ids. */
  async known(projectId: string, ids: string[]): Promise<Set<string>> {
    if (ids.length === 0) return new Set();
    return new Set((await this.sessions.byIds(projectId, ids)).map(({ id }) => id));
  }

  /** The rooms of those of these sessions that are active, by session id. */
  async roomsOf(projectId: string, ids: string[]): Promise<Map<string, string>> {
    const active = (await this.sessions.byIds(projectId, ids)).filter(({ activeRoom }) => activeRoom !== null);
    return new Map(active.map(({ id, externalRoomId }) => [id, externalRoomId]));
  }

  /** The rooms of these sessions, active or ended, by session id. */
  async allRoomsOf(projectId: string, ids: string[]): Promise<Map<string, string>> {
    if (ids.length === 0) return new Map();
    return new Map((await this.sessions.byIds(projectId, ids)).map(({ id, externalRoomId }) => [id, externalRoomId]));
  }

  /** The room of a session, active or ended; null: there is no such session. */
  async roomOf(projectId: string, id: string): Promise<string | null> {
    return (await this.sessions.find(projectId, id))?.externalRoomId ?? null;
  }

  async activeIn(projectId: string, roomId: string): Promise<Session | null> {
    const row = await this.sessions.activeIn(projectId, roomId);
    return row === null ? null : toSession(row);
  }

  /** The active sessions of these rooms, by room; rooms without one are left out. */
  async activeInAll(projectId: string, roomIds: readonly string[]): Promise<Map<string, string>> {
    const rows = await this.sessions.activeInAll(projectId, roomIds);
    return new Map(rows.map(({ id, externalRoomId }) => [externalRoomId, id]));
  }
}

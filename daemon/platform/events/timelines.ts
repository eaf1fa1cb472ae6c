/** Reads the events about one person or one resource from the log. */
import type { DomainEvent } from '../../../src/contract/events.js';
import type { Database } from '../database/database.js';
import type { EventRow, ReadEvent } from './record.js';
import { logStatements } from './sql.js';

export class LogTimelines {
  private readonly sql;

  constructor(
    private readonly database: Database,
    private readonly toEvent: (row: EventRow) => ReadEvent | null,
  ) {
    this.sql = logStatements[database.dialect];
  }

  /** The newest events of these types about a person, up to `limit`. */
  ofSubject(projectId: string, subjectUserId: string, types: readonly string[], limit: number): Promise<DomainEvent[]> {
    return this.read(this.sql.subjectTimeline, projectId, subjectUserId, types, limit);
  }

  /** Returns the time of the newest event of these types about each of some people, by external user id. */
  async latestOfSubjects(
    projectId: string,
    subjectUserIds: readonly string[],
    types: readonly string[],
  ): Promise<ReadonlyMap<string, string>> {
    const rows = await this.database.read.$queryRawUnsafe<{ who: string; at: Date | string | null }[]>(
      this.sql.subjectsLatest,
      ...[projectId, JSON.stringify(types), JSON.stringify(subjectUserIds)],
    );
    return new Map(rows.flatMap(({ who, at }) => (at === null ? [] : [[who, new Date(at).toISOString()] as const])));
  }

  /** The newest of these types about a thing (`kind:id`) and about nobody, up to `limit`. */
  ofResource(projectId: string, resourceId: string, types: readonly string[], limit: number): Promise<DomainEvent[]> {
    return this.read(this.sql.resourceTimeline, projectId, resourceId, types, limit);
  }

  private async read(
    statement: string,
    ...[projectId, whose, types, limit]: [string, string, readonly string[], number]
  ): Promise<DomainEvent[]> {
    const parameters = [projectId, whose, JSON.stringify(types), limit];
    const rows = await this.database.read.$queryRawUnsafe<EventRow[]>(statement, ...parameters);
    return rows.flatMap((row) => this.toEvent(row)?.event ?? []);
  }
}

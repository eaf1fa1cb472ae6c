/** Messages of the team to people, stored and announced together. Rooms and the game hear of them from the log. */
import { uuidv7 } from 'uuidv7';
import type {
  AnnouncedNotice,
  NotifiedPeople,
  NotifyPeopleRequest,
  PersonNotice,
} from '../../../src/contract/people/person-notices.js';
import type { Database } from '../../platform/database/database.js';
import type { EventLog } from '../../platform/events/log.js';
import type { ProjectGrant } from '../../platform/http/caller.js';
import type { Clock } from '../../platform/time/clock.js';
import type { ParticipantDirectory } from './directory.js';
import type { NoticeRow, NoticeStore } from './notice-store.js';

const toNotice = ({ id, text, createdAt }: NoticeRow): PersonNotice => ({
  id,
  text,
  createdAt: createdAt.toISOString(),
});

export class PersonNotices {
  constructor(
    private readonly database: Database,
    private readonly log: Pick<EventLog, 'append'>,
    private readonly notices: NoticeStore,
    private readonly people: Pick<ParticipantDirectory, 'byExternalIds'>,
    private readonly now: Clock,
  ) {}

  async notify(
    { tenantId, projectId }: ProjectGrant,
    createdByUserId: string,
    { text, externalUserIds }: NotifyPeopleRequest,
  ): Promise<NotifiedPeople> {
    const ids = [...new Set(externalUserIds)];
    const known = new Set(
      (await this.people.byExternalIds(projectId, ids)).map(({ externalUserId }) => externalUserId),
    );
    const createdAt = this.now();
    const rows = ids.map((externalUserId) => ({
      ...{ id: uuidv7(), projectId, externalUserId, text },
      ...{ createdByUserId, createdAt },
    }));
    const events = rows.map((row) => {
      const data: AnnouncedNotice = { ...toNotice(row), externalUserId: row.externalUserId };
      const place = { tenantId, projectId, resourceId: `notice:${row.id}` };
      const about = { action: 'created' as const, data, subjectUserId: row.externalUserId };
      return { type: 'participant.notified' as const, ...place, ...about };
    });
    await this.database.transaction(async (tx) => {
      await this.notices.insert(tx, rows);
      await this.log.append(tx, ...events);
    });
    const unknown = ids.filter((id) => !known.has(id));
    return { createdAt: createdAt.toISOString(), notified: ids.length, unknown };
  }
}

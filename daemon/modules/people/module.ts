/** People of a project: participants, moderators' notes about them, their history, and their erasure. */

import { HeldIds } from '../../platform/database/held-ids.js';
import { type Module, modulePart } from '../../platform/module.js';
import type { Platform } from '../../platform/platform.js';
import type { Records } from '../../records.js';
import { idOperations } from './admin-operations.js';
import { AlikePeople } from './alike.js';
import { ParticipantErasure } from './erasure.js';
import { FormerNames } from './former-names.js';
import { HeldErasureStore } from './held-erasure-store.js';
import { type HistorySource, ParticipantHistory } from './history.js';
import { isHeld, isNamed } from './holdings.js';
import { loggedHistory } from './logged-history.js';
import { type MarkSources, PersonMarksReader } from './marks.js';
import { PersonMoves } from './moves.js';
import { PersonNotices } from './notices.js';
import { PersonExport } from './person-export.js';
import { PersonPage, type PersonSources } from './person-page.js';
import { ownRecords } from './person-records-store.js';
import {
  alikeRouter,
  participantRecordRouter,
  participantRouter,
  personExportRouter,
  personMoveRouter,
  personNoticeRouter,
  personRouter,
} from './routes.js';
import { ParticipantService } from './service.js';

/** How soon an erasure follows when the hold that stopped it is lifted. */
const heldErasuresEveryMs = 10_000;

interface PeopleNeeds {
  /** Every module that may hold data about a person. */
  readonly modules: readonly Module[];
  /** The parts of a person's history that other modules know. */
  readonly history: readonly HistorySource[];
  /** Contributions of other modules to the page of a person. */
  readonly sources: PersonSources;
  /** Their contributions to the marks beside names. */
  readonly marks: Omit<MarkSources, 'lastSeen'>;
}

export { renameFoldedId } from './admin-operations.js';

export function peopleModule(
  { database, log, jobs, now }: Platform,
  { people, projects }: Records,
  { modules, history, sources, marks }: PeopleNeeds,
): Module {
  const { store, formerIds, noteStore, directory, notes } = people;
  const ownHistory: HistorySource = {
    scope: 'participants:read',
    read: ({ projectId, id }) => notes.history(projectId, id),
  };
  const past = new ParticipantHistory(store, [...history, ownHistory, ...loggedHistory(log)]);
  const erasing = modules.flatMap(({ person }) => person ?? []);
  const moving = modules.flatMap(({ personMove }) => personMove ?? []);
  const holdsAny = (projectId: string, externalUserId: string): Promise<boolean> =>
    isHeld(moving, database.read, { projectId, externalUserId });
  const formerNames = new FormerNames(store, formerIds, moving);
  const holds = new HeldErasureStore(database, new HeldIds(database), now);
  const erasure = new ParticipantErasure({
    database,
    log,
    participants: store,
    formerIds,
    formerNames,
    holders: erasing,
    counting: moving,
    holds,
    now,
  });
  const stores = { participants: store, notes: noteStore, formerIds };
  const records = [...ownRecords(database), ...modules.flatMap(({ personRecords }) => personRecords ?? [])];
  const isKnown = (projectId: string, externalUserId: string): Promise<boolean> =>
    isNamed(records, { projectId, participantId: null, externalUserId, heldIds: [] });
  const moves = new PersonMoves({ database, log, directory, stores, holders: moving, isKnown, now });
  const exports = new PersonExport({ database, participants: directory, formerNames, records, isHeld: holdsAny });
  const lastSeen: MarkSources['lastSeen'] = (projectId, ids) =>
    log.timelines.latestOfSubjects(projectId, ids, ['participant.joined', 'participant.left']);
  const marked = new PersonMarksReader({ ...marks, lastSeen }, now);
  const service = new ParticipantService(database, log, store, directory, marked, now);
  return {
    name: 'people',
    parts: [
      modulePart(
        'held-erasures',
        jobs.repeat('held-erasures', heldErasuresEveryMs, () => erasure.runRemembered()),
        { role: 'jobs' },
      ),
    ],
    routes: [
      ...participantRouter(service, erasure),
      ...participantRecordRouter(past, notes),
      ...personRouter(
        new PersonPage(directory, notes, sources, holdsAny, (one) => holds.find(database.read, [one])),
        erasure,
      ),
      ...personMoveRouter(moves),
      ...personExportRouter(exports),
      ...alikeRouter(new AlikePeople(store, directory, log)),
      ...personNoticeRouter(new PersonNotices(database, log, people.notices, directory, now)),
    ],
    operations: idOperations({ database, moves, projects: projects.store }),
  };
}

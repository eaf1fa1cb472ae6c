import { alikeRoutes } from '../../../src/contract/people/alike.js';
import { participantRecordRoutes } from '../../../src/contract/people/participant-records.js';
import { participantRoutes } from '../../../src/contract/people/participants.js';
import { personRoutes } from '../../../src/contract/people/person.js';
import { personExportRoutes } from '../../../src/contract/people/person-export.js';
import { personMoveRoutes } from '../../../src/contract/people/person-moves.js';
import { personNoticeRoutes } from '../../../src/contract/people/person-notices.js';
import { atLeast } from '../../../src/contract/route.js';
import { hasScope } from '../../platform/http/authorisation.js';
import { bind } from '../../platform/http/bind.js';
import type { AlikePeople } from './alike.js';
import type { ParticipantErasure } from './erasure.js';
import type { ParticipantHistory } from './history.js';
import type { PersonMoves } from './moves.js';
import type { ParticipantNotes } from './notes.js';
import type { PersonNotices } from './notices.js';
import type { PersonExport } from './person-export.js';
import type { PersonPage } from './person-page.js';
import type { ParticipantService } from './service.js';

export const participantRouter = (
  participants: ParticipantService,
  erasure: Pick<ParticipantErasure, 'eraseParticipant'>,
) =>
  bind(participantRoutes, {
    list: ({ project, caller, query }) => participants.list(project, caller, query),
    create: ({ project, body }) => participants.create(project, body),
    get: ({ project, params }) => participants.get(project.projectId, params.id),
    update: ({ project, params, body }) => participants.update(project.projectId, params.id, body),
    remove: ({ project, params }) => erasure.eraseParticipant(project.projectId, params.id),
  });

export const participantRecordRouter = (history: ParticipantHistory, notes: ParticipantNotes) =>
  bind(participantRecordRoutes, {
    history: ({ project, caller, params, query }) =>
      history.entriesOf(project.projectId, params.id, query, {
        caller,
        isModerator: atLeast(project.role, 'moderator'),
      }),
    notes: ({ project, params }) => notes.list(project.projectId, params.id),
    addNote: ({ project, caller, params, body }) => notes.add(project.projectId, params.id, caller.id, body.text),
    removeNote: ({ project, params }) => notes.remove(project.projectId, params.id, params.noteId),
  });

export const personRouter = (page: PersonPage, erasure: Pick<ParticipantErasure, 'erasePerson'>) =>
  bind(personRoutes, {
    get: ({ project, caller, params }) => page.read(project, caller, params.user),
    erase: ({ project, params }) => erasure.erasePerson(project, params.user),
  });

export const personMoveRouter = (moves: PersonMoves) =>
  bind(personMoveRoutes, {
    preview: ({ project, params, query }) => moves.preview(project, { user: params.user, to: query.externalUserId }),
    move: ({ project, params, body }) => moves.movePerson(project, { user: params.user, to: body.externalUserId }),
  });

export const personExportRouter = (exports: PersonExport) =>
  bind(personExportRoutes, {
    export: ({ project, caller, params, query }, { request, response }) =>
      exports.stream(project, caller, params.user, query, { response, isHead: request.method === 'HEAD' }),
  });

export const personNoticeRouter = (notices: PersonNotices) =>
  bind(personNoticeRoutes, {
    notify: ({ project, caller, body }) => notices.notify(project, caller.id, body),
  });

export const alikeRouter = (alike: AlikePeople) =>
  bind(alikeRoutes, {
    list: ({ project, caller, params }) => {
      const joins = hasScope(caller, 'sessions:read');
      return alike.list(project.projectId, params.id, { joins });
    },
  });

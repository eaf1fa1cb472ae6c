import { open } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { DomainError } from '../../../src/contract/errors.js';
import { messageRoutes } from '../../../src/contract/sessions/message-search.js';
import { sessionRoutes } from '../../../src/contract/sessions/sessions.js';
import { bind } from '../../platform/http/bind.js';
import { totalHeader } from '../../platform/http/total.js';
import type { DebugAudio } from './bot/debug-audio.js';
import type { BotHistory } from './bot/history.js';
import type { MessageAnnotations } from './message-annotations.js';
import type { MessageSearch } from './search/search-service.js';
import type { SessionService } from './service.js';
import type { TranscriptService } from './transcripts.js';

export const messageRouter = (search: MessageSearch) =>
  bind(messageRoutes, { search: ({ project, query }) => search.page(project.projectId, query) });

export const sessionRouter = (
  sessions: SessionService,
  history: BotHistory,
  transcripts: TranscriptService,
  annotations: Pick<MessageAnnotations, 'beside'>,
  recordings: Pick<DebugAudio, 'pathOf'>,
) =>
  bind(sessionRoutes, {
    create: ({ project, caller, body }) => sessions.create(project, caller.id, body),
    list: async ({ project, query }, { response }) => {
      const { rows, total } = await sessions.list(project.projectId, query);
      response.setHeader(totalHeader, total);
      return rows;
    },
    get: ({ project, params }) => sessions.get(project.projectId, params.id),
    botPast: ({ project, params, query }) => history.read(project.projectId, params.id, query.limit),
    start: ({ project, params }) => sessions.start(project.projectId, params.id),
    stop: ({ project, params }) => sessions.stop(project.projectId, params.id),
    remove: async ({ project, params }) => {
      await sessions.remove(project.projectId, params.id);
    },
    messages: async ({ project, params, query }, { response }) => {
      const { messages, total } = await transcripts.page(project.projectId, params.id, query);
      response.setHeader(totalHeader, total);
      return annotations.beside(messages);
    },
    say: ({ project, params, body }) => transcripts.say(project, params.id, body),
    debugAudio: async ({ project, params }, { response }) => {
      const { file: name, saveAs } = await transcripts.debugAudio(project.projectId, params.id, params.messageId);
      // Opened first: a pipeline that fails leaves no connection for an answer.
      const file = await open(recordings.pathOf(name)).catch((error: NodeJS.ErrnoException) => {
        throw error.code === 'ENOENT' ? new DomainError('debug_audio_not_found') : error;
      });
      response.status(200).attachment(saveAs).setHeader('Content-Type', 'audio/wav');
      await pipeline(file.createReadStream(), response);
    },
  });

import * as Args from '@oclif/core/args';
import { commandRow } from '../../src/cli/command/row.js';
import { nameArgument } from '../../src/cli/names/kinds.js';
import { CreateSessionRequest, sessionRoutes } from '../../src/contract/sessions/sessions.js';

export default {
  create: commandRow({
    route: sessionRoutes.create,
    examples: ['Demo --room demo'],
    args: { title: Args.string({ description: CreateSessionRequest.shape.title.description }) },
    columns: ['id', 'title', 'externalRoomId', 'status', 'bot'],
  }),
  get: commandRow({
    route: sessionRoutes.get,
    examples: ['SESSION'],
    args: { session: nameArgument('session') },
  }),
  list: commandRow({
    route: sessionRoutes.list,
    examples: ['--limit 20', '--room demo --since yesterday --until today'],
    columns: ['title', 'externalRoomId', 'status', 'bot.state', 'bot.cause', 'createdAt', 'id'],
  }),
  say: commandRow({
    route: sessionRoutes.say,
    examples: ['SESSION --external-user-id u_42 --content "hello"'],
    args: { session: nameArgument('session') },
    columns: ['id', 'senderName', 'content', 'timestamp'],
  }),
  start: commandRow({
    route: sessionRoutes.start,
    examples: ['SESSION'],
    args: { session: nameArgument('session') },
  }),
  stop: commandRow({
    route: sessionRoutes.stop,
    examples: ['SESSION'],
    args: { session: nameArgument('session') },
  }),
};

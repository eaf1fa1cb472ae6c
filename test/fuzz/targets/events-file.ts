import { eventsIn, type FileEvent } from '../../../src/cli/gameplay/event-file.js';
import { UsageError } from '../../../src/terminal/usage-error.js';
import { type FuzzTarget, hold, unlessRefused } from '../engine/target.js';

const parse = (input: Buffer): FileEvent[] | null =>
  unlessRefused(() => eventsIn(input.toString('utf8'), 'events'), UsageError);

/** Files of game events: a JSON array, an object a line, or CSV. */
export const eventsFile: FuzzTarget = {
  name: 'events-file',
  maxBytes: 128 * 1024,
  parse,
  check(input) {
    const events = parse(input);
    if (events === null) return;
    hold(events.length > 0, 'A file without events is refused.');
    const written = events.map(({ event }) => JSON.stringify(event));
    const again = eventsIn(written.join('\n'), 'again').map(({ event }) => JSON.stringify(event));
    hold(JSON.stringify(again) === JSON.stringify(written), 'Events are read again as the same.', again, written);
  },
  seeds: [
    '[{"user_id":"u1","event_name":"achieve-level","meta_data":{"level_count":3}}]',
    '{"user":"u1","event":"kill-enemy","enemy_type":"boss"}\n{"user_id":"u2","event_name":"achieve-score","score":10}\n',
    'user_id,event_name,event_type,level_count\nu1,achieve-level,single,3\n',
    'player;event;properties\nu1;instant-win;"{""a"":1}"\n',
  ],
  words: [
    ...['user_id', 'event_name', 'event_type', 'team_id', 'session_id', 'meta_data', 'properties', 'id', 'created_at'],
    ...['single', 'group', 'achieve-level', 'kill-enemy', 'achieve-score', 'collect-item', 'instant-win', 'find-item'],
    ...['score', 'amount', 'level_count', 'enemy_type', '{"', '":"', '":', ',"', '"}', '[{', '}]', '\n', ',', ';', '"'],
  ],
};

/** Live figures on one screen, the sums first; what room is left shows the busiest rooms and the slowest requests. */
import type { LiveFigures } from '../../contract/figures/figures.js';
import { cut, fitted } from '../../terminal/columns.js';
import { clockTime } from '../../terminal/shown-times.js';
import { styled } from '../../terminal/terminal.js';
import { harmless } from '../../text/printable.js';
import type { Size } from '../terminal/live/screen.js';

const labelWidth = 10;
const bars = '▁▂▃▄▅▆▇█';
/** An empty line and a heading stand above the rows of a table, of which one at least is shown. */
const tableMin = 3;

interface FiguresPicture {
  readonly url: string;
  readonly figures: LiveFigures;
  /** Events a second, oldest first, as far as somebody has watched. */
  readonly rates: readonly number[];
  readonly foot: string;
}

const count = (value: number): string => value.toLocaleString('en');
const milliseconds = (ms: number): string =>
  `${ms.toLocaleString('en', { maximumFractionDigits: ms < 100 ? 1 : 0 })} ms`;
const mebibytes = (bytes: number): string => `${count(Math.ceil(bytes / 2 ** 20))} MiB`;
/** Red once nine tenths of what is allowed are used, where players are refused. */
const stored = (bytes: number, max: number | null): string => {
  if (max === null) return mebibytes(bytes);
  const text = `${mebibytes(bytes)} of ${mebibytes(max)}`;
  return bytes < max * 0.9 ? text : styled('red', text);
};
const line = (label: string, ...parts: readonly string[]): string =>
  `${styled('bold', fitted(label, labelWidth))}${parts.filter((part) => part !== '').join('   ')}`;

/**
 * `rows` of the size are those that the screen has; a pipe has as many as it takes. The sums and the foot are always
 * there: a low screen has one table or none, then no empty lines, and at last fewer sums.
 */
export function figuresView({ url, figures, rates, foot }: FiguresPicture, { columns, rows }: Size): string {
  const { at, version, rooms, requests } = figures;
  const head = `${styled('bold', 'earshot')} ${version}   ${harmless(url)}   ${clockTime(new Date(at))}`;
  const figured = sums(figures, rates, columns);
  const feet = foot === '' ? [] : [styled('yellow', foot)];
  const spare = rows - 1 - figured.length - feet.length;
  const blank = spare < 2 ? [] : [''];
  const free = spare - 2 * blank.length;
  const [inRooms, slow] = [roomTable(rooms.busiest, columns), requestTable(requests.slowest, columns)];
  // A half each, and what one does not need the other has.
  const half = Math.max(Math.floor(free / 2), free - inRooms.length - 1);
  const forRequests = free < 2 * tableMin ? 0 : Math.max(tableMin, Math.min(slow.length + 1, half));
  return [
    head,
    ...blank,
    ...figured.slice(0, Math.max(1, rows - 1 - feet.length)),
    ...fitting(inRooms, free - forRequests),
    ...fitting(slow, forRequests),
    ...(foot === '' ? [] : blank),
    ...feet,
  ].join('\n');
}

/** The table with an empty line above it, as much as fits in so many lines. */
const fitting = (table: readonly string[], lines: number): string[] =>
  lines < tableMin ? [] : ['', ...table.slice(0, lines - 1)];

function sums(
  { events, rooms, deliveries, queues, storage, requests }: LiveFigures,
  rates: readonly number[],
  columns: number,
) {
  const types = events.types.map(({ type, lastMinute }) => `${type} ${count(lastMinute)}`).join(', ');
  const [slowest] = requests.slowest;
  const failed = `${count(deliveries.failed)} given up`;
  return [
    line(
      'Events',
      `${events.perSecond} per second`,
      `${count(events.lastMinute)} in a minute`,
      spark(rates, columns - 55),
    ),
    line('', styled('dim', cut(types, columns - labelWidth))),
    line('Rooms', `${count(rooms.open)} open`, `${count(rooms.people)} people`, `${count(rooms.speaking)} speaking`),
    line(
      'Webhooks',
      `${count(deliveries.pending)} pending`,
      `in a minute: ${count(deliveries.delivered)} delivered`,
      `${count(deliveries.retried)} to retry`,
      deliveries.failed === 0 ? failed : styled('red', failed),
    ),
    line('Queues', `${count(queues.gameEvents)} game events`, `${count(queues.utterances)} utterances`),
    line(
      'Stored',
      `${stored(storage.today, storage.dayMax)} today`,
      `${stored(storage.total, storage.totalMax)} in all`,
    ),
    line(
      'Requests',
      `${count(requests.lastMinute)} in a minute`,
      `worst ${milliseconds(requests.worstMs)}`,
      slowest === undefined ? '' : styled('dim', cut(`${slowest.method} ${slowest.route}`, Math.max(1, columns - 50))),
    ),
  ];
}

/** The last ones that fit, scaled to the largest. */
function spark(rates: readonly number[], width: number): string {
  const shown = rates.slice(-Math.max(0, Math.min(width, 60)));
  const largest = Math.max(...shown, 1);
  const drawn = shown.map((rate) => bars[Math.round((rate / largest) * (bars.length - 1))] ?? '').join('');
  return shown.length < 2 ? '' : styled('cyan', drawn);
}

const right = (text: string, width: number): string => text.padStart(width);

function roomTable(rooms: LiveFigures['rooms']['busiest'], columns: number): string[] {
  const [first, second] = [Math.floor((columns - 30) * 0.55), Math.floor((columns - 30) * 0.45)];
  const head = `${fitted('ROOM', first)}  ${fitted('PROJECT', second)}  PEOPLE  SPEAKING  BOT`;
  if (rooms.length === 0) return [styled('bold', head), styled('dim', 'No room is open.')];
  const lines = rooms.map(({ roomId, projectName, people, speaking, transcribed }) =>
    [
      fitted(harmless(roomId), first),
      fitted(harmless(projectName), second),
      right(count(people), 6),
      right(count(speaking), 8),
      transcribed ? 'yes' : 'no',
    ].join('  '),
  );
  return [styled('bold', head), ...lines];
}

function requestTable(slowest: LiveFigures['requests']['slowest'], columns: number): string[] {
  const width = columns - 24;
  const head = `${fitted('SLOWEST REQUESTS', width)}  IN A MINUTE      WORST`;
  const lines = slowest.map(({ method, route, lastMinute, worstMs }) =>
    [fitted(`${method} ${route}`, width), right(count(lastMinute), 11), right(milliseconds(worstMs), 9)].join('  '),
  );
  return [styled('bold', head), ...lines];
}

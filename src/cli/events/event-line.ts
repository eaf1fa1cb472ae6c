/** Events in columns of a terminal: when, what, who, why. The date stands above the first event of a day. */
import type { DomainEvent } from '../../contract/events.js';
import { type PartialMessage, partialType } from '../../contract/sessions/partial-messages.js';
import { ownValue } from '../../names/own-value.js';
import { cut, fitted } from '../../terminal/columns.js';
import type { Screen } from '../../terminal/output.js';
import { clockTime, dayOf } from '../../terminal/shown-times.js';
import { type Style, styled } from '../../terminal/terminal.js';
import { harmless } from '../../text/printable.js';
import { idsAlone, type Names } from '../names/known-names.js';
import { gistOf } from './event-gist.js';

const widthDefault = 120;
/** Terminal width from which names and types get more space. */
const wideFrom = 110;
const gap = '  ';

const colours: Readonly<Record<string, Style>> = {
  sanction: 'red',
  review: 'red',
  report: 'red',
  block: 'red',
  case: 'red',
  rule: 'red',
  message: 'cyan',
  session: 'green',
  bot: 'green',
  participant: 'blue',
  gathering: 'magenta',
  challenge: 'yellow',
  battlepass: 'yellow',
  leaderboard: 'yellow',
  audit: 'dim',
  webhook: 'dim',
};

/** Events that are left out on a terminal: each delivery of a webhook is an event too. */
export const isDeliveryNoise = ({ type }: DomainEvent): boolean => /^webhook\.(delivery\.|test$)/.test(type);

/** One line; its width is that of the screen, or a usual one where that is not known. */
export function eventLine(event: DomainEvent, screen: Screen, names: Names = idsAlone): string {
  return columnsOf({ ...gistOf(event, names), type: event.type, timestamp: event.timestamp }, screen);
}

/** What somebody is saying, in the same columns. */
export const partialLine = (partial: PartialMessage, screen: Screen, names: Names = idsAlone): string => {
  const { timestamp, content } = partial;
  const why = content === '' ? '(no message follows)' : `${content} …`;
  return columnsOf({ timestamp, type: partialType, who: speakerOf(partial, names), why }, screen);
};

/** Name of who is saying it; that of the room where no other is known. */
export function speakerOf({ externalUserId, senderName }: PartialMessage, names: Names): string {
  const name = names.person(externalUserId);
  return name === externalUserId ? senderName : name;
}

interface LineParts {
  readonly timestamp: string;
  readonly type: string;
  readonly who: string;
  readonly why: string;
}

function columnsOf({ timestamp, type, who, why }: LineParts, screen: Screen): string {
  const width = screen.width || widthDefault;
  const [whatWidth, whoWidth] = width < wideFrom ? [20, 14] : [29, 24];
  const time = clockTime(new Date(timestamp));
  const columns = [fitted(type, whatWidth), fitted(harmless(who), whoWidth)] as const;
  const room = width - time.length - whatWidth - whoWidth - 3 * gap.length;
  const [domain = ''] = type.split('.');
  const paint = (style: Style, text: string): string => (screen.isTerminal ? styled(style, text) : text);
  const [what, person] = columns;
  return [
    paint('dim', time),
    paint(ownValue(colours, domain) ?? 'white', what),
    paint('bold', person),
    cut(harmless(why), room),
  ]
    .join(gap)
    .trimEnd();
}

/** Lines with the date above wherever it is another than that of the line before; at first, than today's. */
export class DatedLines {
  private day: string;

  constructor(now: Date) {
    this.day = dayOf(now);
  }

  line(event: DomainEvent, text: string): string {
    const day = dayOf(new Date(event.timestamp));
    if (day === this.day) return text;
    this.day = day;
    return `${styled('bold', day)}\n${text}`;
  }
}

/** Events in columns of a terminal: when, what, who, why. The date stands above the first event of a day. */
import type { DomainEvent } from '../../contract/events.js';
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
  const width = screen.width || widthDefault;
  const [whatWidth, whoWidth] = width < wideFrom ? [20, 14] : [29, 24];
  const { who, why } = gistOf(event, names);
  const time = clockTime(new Date(event.timestamp));
  const columns = [fitted(event.type, whatWidth), fitted(harmless(who), whoWidth)] as const;
  const room = width - time.length - whatWidth - whoWidth - 3 * gap.length;
  const [domain = ''] = event.type.split('.');
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

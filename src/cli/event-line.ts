/** An event as one line of a terminal: when, what, about whom, and its main fields. */
import type { DomainEvent } from '../contract/events.js';
import { cell, fieldOf, type Screen } from './output.js';
import { type Style, styled } from './terminal.js';

const typeWidth = 26;
const resourceWidth = 36;
/** What a reader looks for first, in the order of reading: its path in the event, and its name on the line. */
const salient = [
  ['externalUserId', 'user'],
  ['content', 'content'],
  ['actor.name', 'who'],
  ['action', 'action'],
  ['bot.state', 'bot'],
  ['bot.cause', 'cause'],
  ['new_challenge.user_id', 'user'],
  ['new_challenge.type', 'challenge'],
  ['new_challenge.user_challenge_current_score', 'score'],
  ['new_battle_pass_challenge.user_id', 'user'],
  ['new_battle_pass_challenge.type', 'challenge'],
  ['new_battle_pass_challenge.user_challenge_current_score', 'score'],
  ['battle_pass_level_reward_claimed.user_id', 'user'],
  ['battle_pass_level_reward_claimed.level_position_index', 'level'],
  ['battle_pass_level_reward_claimed.reward_amount', 'reward'],
  ['member.displayName', 'member'],
  ['displayName', 'displayName'],
  ['title', 'title'],
  ['name', 'name'],
  ['type', 'type'],
  ['status', 'status'],
  ['reason', 'reason'],
] as const;

const widthDefault = 120;

const colours: Readonly<Record<string, Style>> = {
  sanction: 'red',
  review: 'red',
  message: 'cyan',
  session: 'green',
  bot: 'green',
  participant: 'blue',
  gathering: 'magenta',
  challenge: 'yellow',
  battlepass: 'yellow',
  leaderboard: 'yellow',
  audit: 'dim',
};

/** @param width of the terminal in columns; 0 or undefined where that is not known */
export function eventLine(
  { timestamp, type, resourceId, payload }: DomainEvent,
  screen: Screen,
  width: number | undefined,
): string {
  const [domain = ''] = type.split('.');
  const cells = [
    timestamp.slice(11, 23),
    type.padEnd(typeWidth),
    cell(resourceId.slice(resourceId.indexOf(':') + 1), screen).padEnd(resourceWidth),
    summary(payload, screen),
  ];
  const [time = '', name = '', ...rest] = cells;
  const room = Math.max(0, (width || widthDefault) - time.length - name.length - 4);
  const text = rest.join('  ');
  const shown = text.length > room ? `${text.slice(0, Math.max(0, room - 1))}…` : text;
  const paint = (colour: Style, plain: string) => (screen.isTerminal ? styled(colour, plain) : plain);
  return `${paint('dim', time)}  ${paint(colours[domain] ?? 'white', name)}  ${shown}`;
}

function summary({ data, changes }: DomainEvent['payload'], screen: Screen): string {
  if (typeof data !== 'object' || data === null) return cell(data, screen);
  const fields = salient.flatMap(([path, name]) => {
    const value = fieldOf(data, path);
    return value === undefined || value === null || value === '' ? [] : [`${name}=${cell(value, screen)}`];
  });
  const changed = changes === undefined ? [] : [`changed=${Object.keys(changes).join(',')}`];
  return [...(fields.length === 0 ? [cell(data, screen)] : fields), ...changed].join('  ');
}

/** A gathering on one screen: what it is, who is in it and ready, who was invited. */
import type { Invitation } from '../../contract/gatherings/gathering-invitations.js';
import type { GatheringMember } from '../../contract/gatherings/gathering-members.js';
import type { Gathering } from '../../contract/gatherings/gatherings.js';
import { cell, type Screen, table } from '../../terminal/output.js';
import { type Style, styled } from '../../terminal/terminal.js';
import { harmless } from '../../text/printable.js';
import { inHalves } from '../terminal/large-type.js';

const colours = { CREATED: 'yellow', STARTED: 'green', ENDED: 'dim', CANCELLED: 'red', EXPIRED: 'red' } as const;
const barMax = 40;

/** Free and taken seats at a glance, while they fit. */
const seats = ({ memberCount, maxMembers }: Gathering): string => {
  const bar = maxMembers > barMax ? '' : `${'●'.repeat(memberCount)}${'○'.repeat(maxMembers - memberCount)}  `;
  return `${bar}${memberCount} of ${maxMembers}`;
};

const readiness = ({ ready, readyAt }: GatheringMember, screen: Screen): string => {
  if (ready) return '✓';
  return readyAt === null ? '' : cell(readyAt, screen);
};

export function gatheringView(gathering: Gathering, invitations: readonly Invitation[], screen: Screen): string {
  const { name, status, type, accessPolicy, joinCode, roomId, members = [] } = gathering;
  const times = { starts: gathering.startsAt, ends: gathering.endsAt, expires: gathering.expiresAt };
  const fields = [
    ['seats', seats(gathering)],
    ['code', inHalves(joinCode)],
    ['room', harmless(roomId)],
    ...Object.entries(times).flatMap(([field, time]) => (time === null ? [] : [[field, cell(time, screen)]])),
  ];
  const paint = (style: Style, text: string) => (screen.isTerminal ? styled(style, text) : text);
  const head = `${paint('bold', harmless(name))}  ${paint(colours[status], status)}  ${type}, ${accessPolicy}`;
  const rows = members
    .filter((member) => member.status !== 'invited')
    .map((member) => ({
      name: member.displayName,
      role: member.role === 'owner' ? 'owner' : '',
      ready: readiness(member, screen),
      joined: member.joinedAt,
    }));
  const names = new Map(members.map((member) => [member.participantId, member.displayName]));
  const asked = invitations
    .filter((invitation) => invitation.status === 'pending')
    .map((invitation) => ({
      invited: names.get(invitation.participantId) ?? invitation.participantId,
      sent: invitation.createdAt,
      expires: invitation.expiresAt,
    }));
  return [
    head,
    fields.map(([field = '', value = '']) => `${field.padEnd(9)}${value}`).join('\n'),
    rows.length === 0 ? 'Nobody is here yet.' : table(rows, ['name', 'role', 'ready', 'joined'], screen),
    ...(asked.length === 0 ? [] : [table(asked, ['invited', 'sent', 'expires'], screen)]),
  ].join('\n\n');
}

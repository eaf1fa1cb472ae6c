import { stripVTControlCharacters } from 'node:util';
import { describe, expect, it } from 'vitest';
import { makeJoinCode } from '../../daemon/modules/gatherings/join-code.js';
import { gatheringView } from '../../src/cli/gatherings/gathering-view.js';
import { inHalves, largeType } from '../../src/cli/terminal/large-type.js';
import type { Gathering } from '../../src/contract/gatherings/gatherings.js';
import { rendered } from '../../src/terminal/terminal.js';

const at = (minute: number) => `2026-01-01T00:${String(minute).padStart(2, '0')}:00.000Z`;
const member = { gatheringId: 'g', readyAt: null, leftAt: null };
const gathering: Gathering = {
  id: 'g',
  tenantId: 't',
  projectId: 'p',
  name: 'Friday \u001b[2Jraid',
  description: null,
  type: 'lobby',
  status: 'CREATED',
  maxMembers: 4,
  memberCount: 2,
  accessPolicy: 'public',
  listed: false,
  startsAt: at(50),
  endsAt: null,
  timezone: null,
  roomId: 'hall',
  autoStartSession: false,
  sessionId: null,
  joinCode: 'ABCDEFGH',
  properties: null,
  searchProperties: null,
  ownerId: 'a',
  inviterName: null,
  inviterEmail: null,
  createdAt: at(0),
  updatedAt: at(0),
  expiresAt: null,
  members: [
    {
      ...member,
      id: '1',
      participantId: 'a',
      displayName: 'Ann',
      role: 'owner',
      status: 'joined',
      ready: false,
      readyAt: at(21),
      joinedAt: at(10),
    },
    {
      ...member,
      id: '2',
      participantId: 'b',
      displayName: 'Bob',
      role: 'member',
      status: 'ready',
      ready: true,
      joinedAt: at(15),
    },
    {
      ...member,
      id: '3',
      participantId: 'c',
      displayName: 'Cid',
      role: 'member',
      status: 'invited',
      ready: false,
      joinedAt: null,
    },
  ],
};
const invitation = {
  id: 'i',
  gatheringId: 'g',
  participantId: 'c',
  createdAt: at(18),
  respondedAt: null,
  expiresAt: at(58),
};
const invitations = [
  { ...invitation, status: 'pending' as const },
  { ...invitation, participantId: 'd', status: 'declined' as const },
];
const now = new Date(at(20));

describe('the view of a gathering', () => {
  it('shows seats, ready marks and open invitations, with relative times on a terminal', () => {
    const view = stripVTControlCharacters(rendered(gatheringView(gathering, invitations, { isTerminal: true, now })));
    expect(view.split('\n')).toEqual([
      'Friday \\u001b[2Jraid  CREATED  lobby, public',
      '',
      'seats    ●●○○  2 of 4',
      'code     ABCD-EFGH',
      'room     hall',
      'starts   in 30m',
      '',
      'NAME  ROLE   READY  JOINED',
      'Ann   owner  in 1m  10m ago',
      'Bob          ✓      5m ago',
      '',
      'INVITED  SENT    EXPIRES',
      'Cid      2m ago  in 38m',
    ]);
  });

  it('keeps to ISO times elsewhere', () => {
    expect(gatheringView(gathering, [], { isTerminal: false, now })).toContain(`starts   ${at(50)}`);
  });
});

describe('large type', () => {
  it('draws every letter of a code in five lines, no two alike', () => {
    const seen = new Map<string, string>();
    for (let made = 0; seen.size < 32; made += 1) {
      if (made > 10_000) throw new Error('Not every letter came.');
      for (const letter of makeJoinCode()) seen.set(letter, largeType(letter));
    }
    expect(new Set(seen.values()).size).toBe(32);
    for (const drawn of seen.values()) expect(drawn.split('\n')).toHaveLength(5);
  });

  it('fits a code on a terminal of 80 columns', () => {
    for (const line of largeType(inHalves('WMWMWMWM')).split('\n')) expect(line.length).toBeLessThanOrEqual(80);
  });
});

import { decodeJwt } from 'jose';
import type { AccountStore } from '../../../daemon/modules/identity/accounts/store.js';
import { UserTokens } from '../../../daemon/modules/identity/accounts/user-tokens.js';
import { generateKey, isWellFormedKey } from '../../../daemon/modules/identity/api-keys/key-format.js';
import { PlayerTokens } from '../../../daemon/modules/players/player-tokens.js';
import { RoomTokens } from '../../../daemon/modules/rooms/tokens/room-tokens.js';
import { DomainError } from '../../../src/contract/errors.js';
import { type FuzzTarget, hold } from '../engine/target.js';

const key = Buffer.alloc(32, 7);
const now = () => new Date('2026-01-01T00:00:00Z');
const ledger = {
  joinedAt: async () => null,
  join: async () => {},
  isRevoked: async () => false,
  generation: async () => null,
};
const players = new PlayerTokens(key, ledger, now);
const rooms = new RoomTokens(key, ledger, { isOpen: async () => true }, { hasMoved: async () => false }, now);

const grant = { ...{ sub: 'u_1', project: 'p', room: 'r', name: 'Ann' }, userData: { level: 3 } };
const rights = {
  publish: true,
  subscribe: true,
  moderate: false,
  impose: false,
  accountId: null,
  observer: false,
  encryption: null,
};
const playerToken = await players.sign({ tenantId: 't', projectId: 'p', userId: 'u_1' });
const { token: roomToken } = await rooms.sign({ ...grant, ...rights });
const apiKey = generateKey();
const account = { id: 'a_1', tenantId: 't', role: 'member', disabledAt: null, tokensValidAt: new Date(0) };
const accounts = {
  byId: async (id: string) => (id === account.id ? account : null),
  signedIn: async (id: string) => (id === account.id ? account : null),
} as unknown as AccountStore;
const users = new UserTokens(key, accounts, now);
const userToken = await users.issue(account as Parameters<UserTokens['issue']>[0], null);

async function unlessInvalid<T>(work: Promise<T>): Promise<T | null> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof DomainError && error.code.endsWith('_token_invalid')) return null;
    throw error;
  }
}

/** The header and the claims, without the signature. */
const signedPart = (token: string): string => token.slice(0, token.lastIndexOf('.'));

/** Four control characters stand for valid credentials, so that inputs outlive the keys of a run. */
const written = (input: Buffer): string =>
  input
    .toString('utf8')
    .replaceAll('\u0001', playerToken)
    .replaceAll('\u0002', roomToken)
    .replaceAll('\u0003', apiKey)
    .replaceAll('\u0004', userToken);

const parse = async (input: Buffer) => {
  const token = written(input);
  return [
    await unlessInvalid(players.verify(token)),
    await unlessInvalid(rooms.verify(token, null)),
    isWellFormedKey(token),
    await users.verify(token),
  ] as const;
};

/** Tokens of players, rooms and users, and API keys. */
export const tokens: FuzzTarget = {
  name: 'tokens',
  maxBytes: 32 * 1024,
  parse,
  async check(input) {
    const token = written(input);
    const [player, room, isKey, user] = await parse(input);
    if (player !== null) {
      hold(signedPart(token) === signedPart(playerToken), 'A player token is only what the daemon has signed.', token);
      hold(player.userId === decodeJwt(token).sub, 'It names the player of its claims.', player);
    }
    if (user !== null)
      hold(signedPart(token) === signedPart(userToken) && user.id === account.id, 'So is a user token.', token, user);
    if (room !== null)
      hold(token === roomToken, 'A room token is only what the daemon has made, in one spelling.', token);
    if (isKey) hold(/^earshot_live_[0-9A-Za-z]{46}$/.test(token), 'A key has one form.', token);
  },
  seeds: ['\u0001', '\u0002', '\u0003', '\u0004', 'eyJhbGciOiJub25lIn0.eyJzdWIiOiJ1In0.', 'a.b.c', 'earshot_live_'],
  words: [
    '\u0001',
    '\u0002',
    '\u0003',
    '\u0004',
    '.',
    '=',
    'eyJhbGciOiJub25lIn0',
    'eyJhbGciOiJIUzI1NiJ9',
    'earshot_live_',
    '-',
    '_',
    '+',
    '/',
  ],
};

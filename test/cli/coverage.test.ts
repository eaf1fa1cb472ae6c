/** Every operation of the contract has a command; those that have none say why. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { Route } from '../../src/contract/route.js';
import { allRoutes } from '../../src/contract/routes.js';
import { allCommands } from '../support/commands.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
const sourcesIn = (folder: string): string[] =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .map((file) => readFileSync(join(root, folder, file), 'utf8'));
/** Sources of the commands; they call an operation by naming its route. */
const sources = ['commands', 'src/cli', 'src/client'].flatMap(sourcesIn).join('\n');

/** Name of the route in the contract, such as `sanctionRoutes.create`, by operation. */
async function namesOfRoutes(): Promise<Map<Route, string>> {
  const names = new Map<Route, string>();
  const modules = readdirSync(join(root, 'src/contract'), { recursive: true, encoding: 'utf8' }).filter((file) =>
    file.endsWith('.ts'),
  );
  for (const file of modules) {
    const contents: object = await import(join(root, 'src/contract', file));
    for (const [group, routes] of Object.entries(contents)) {
      if (!group.endsWith('Routes') || Array.isArray(routes)) continue;
      for (const [name, route] of Object.entries(routes as Record<string, Route>)) names.set(route, `${group}.${name}`);
    }
  }
  return names;
}

/** Operations without a command of their own, each with the reason. */
const without: Readonly<Record<string, string>> = {
  createConsoleSession: 'only a browser keeps the cookie of a session',
  renewConsoleSession: 'only a browser keeps the cookie of a session',
  redeemConsoleCode: 'the page that `console` opens redeems the code',
  generateToken: '`tokens create` names the project in the path',
  generateAccessToken: '`player-tokens create` makes the same token',
  sendEvent: '`game-events send` takes the road of the project, which needs no header for it',
  sendEvents: '`game-events send` takes the road of the project, which needs no header for it',
  readStatement: 'for the page of the sanctioned person; `sanctions statement` shows the same',
  readStandingNotices: 'for the page of the sanctioned person; `participants notify` writes them',
  readReceipt: 'for the page of the reporter; `reports receipt` shows the same',
  complainWithCode: 'for the page of the reporter, with the code of its address',
  appealStatement: 'for the page of the sanctioned person; `sanctions appeal` does it in their name',
};
const forGameClients = ({ auth }: Route): boolean =>
  auth.length === 1 && (auth[0] === 'playerToken' || auth[0] === 'roomToken');

/** Operations of the gameplay document, each with its command for an operator, or why there is none. */
const ofGameplay: Readonly<Record<string, { readonly command: string } | { readonly without: string }>> = {
  'POST /api/v1/auth/access-token': { command: 'player-tokens create' },
  'PUT /api/v1/auth/user-additional-info': { without: 'the player chooses a name and a picture, with their own token' },
  'GET /api/v1/auth/user-additional-info': { command: 'players get' },
  'GET /api/v1/auth/user-challenges-topic-link': { command: 'players topic' },
  'GET /api/v1/auth/user-challenge-topic-link': { command: 'players topic' },
  'GET /api/v1/auth/user-battle-pass-topic-link': { command: 'players topic' },
  'GET /api/v1/auth/leaderboard-topic-link': { command: 'leaderboards topic' },
  'POST /api/v1/events': { command: 'game-events send' },
};
const Endpoints = z.array(z.object({ method: z.string(), path: z.string() }));
const listed = Endpoints.parse(JSON.parse(readFileSync(join(root, 'test/contract/endpoints.json'), 'utf8')))
  .filter(({ path }) => path.startsWith('/api/v1/'))
  .map(({ method, path }) => `${method} ${path}`);

const names = await namesOfRoutes();
const expected = allRoutes.filter((route) => !forGameClients(route) && !(route.operationId in without));

describe('commands', () => {
  it.each(expected.map((route) => [route.operationId, names.get(route)]))('call %s', (_, name) => {
    expect(name).toBeDefined();
    expect(sources).toMatch(new RegExp(`\\b${name?.replace('.', '\\.')}\\b`));
  });

  it.each(Object.keys(without))('are excused from %s because they do not call it', (operationId) => {
    const route = allRoutes.find((one) => one.operationId === operationId);
    const name = route === undefined ? undefined : names.get(route);
    expect(name).toBeDefined();
    expect(sources).not.toMatch(new RegExp(`\\b${name?.replace('.', '\\.')}\\b`));
  });

  it('are there for every operation of the gameplay document, or it is said why not', async () => {
    expect(Object.keys(ofGameplay).sort()).toEqual([...listed].sort());
    const named = Object.values(ofGameplay).flatMap((one) => ('command' in one ? [one.command] : []));
    const there = new Set((await allCommands()).map(({ id }) => id.join(' ')));
    expect(named.filter((name) => !there.has(name))).toEqual([]);
  });
});

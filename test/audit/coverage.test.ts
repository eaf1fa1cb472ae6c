/** Every operation that changes something leaves an entry in the audit log, or stands in the list of exceptions. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { auditExceptions, recordedAnswers, recordedCalls } from '../../src/contract/audit/coverage.js';
import type { Route } from '../../src/contract/route.js';
import { allRoutes } from '../../src/contract/routes.js';
import { bearer, type Scene } from '../contract/generated/case.js';
import { cases } from '../contract/generated/cases.js';
import { madeUp, send } from '../contract/generated/sending.js';
import { World } from '../contract/generated/world.js';
import { onPostgresql } from '../support/database.js';

let world: World;
beforeAll(async () => {
  world = await World.make();
}, 60_000);
afterAll(() => world.stop());

const isOpenToAccounts = ({ auth }: Route): boolean =>
  auth.length === 0 || auth.some((kind) => kind === 'apiKey' || kind === 'bearer');
/** The daemon backs up a SQLite file; PostgreSQL has tools of its own, which the refusal names. */
const works = ({ operationId }: Route): boolean => !onPostgresql || operationId !== 'startBackup';
const isChange = (route: Route): boolean => route.method !== 'get' && isOpenToAccounts(route) && works(route);

const credentials = ['Authorization', 'X-API-Key'];

/** Sends a request that works; as a person who has signed in, or as the scene says. Returns its entries. */
async function entriesOf(route: Route, { signedIn }: { signedIn: boolean }) {
  const { works = () => ({}) } = cases[route.operationId] ?? {};
  const scene: Scene = await works(world);
  const { credential } = world.admin;
  const hasOwn = credentials.some((name) => scene.headers?.[name] !== undefined);
  const own = signedIn && !hasOwn && credential?.kind === 'bearer' ? bearer(credential.token) : {};
  const response = await send(route, world, { ...scene, headers: { ...scene.headers, ...own } }, madeUp(route));
  await response.arrayBuffer();
  const requestId = response.headers.get('x-request-id') ?? '';
  let found: { action: string; actorKind: string; outcome: string }[] = [];
  await world.rows(async (tx) => {
    found = await tx.auditEntry.findMany({
      where: { requestId },
      select: { action: true, actorKind: true, outcome: true },
    });
  });
  return { status: response.status, found };
}

describe('an operation that changes something', () => {
  it.each(allRoutes.filter(isChange).map((route) => [route.operationId, route] as const))(
    '%s leaves an entry, or says why not',
    async (operationId, route) => {
      const of = recordedCalls(route);
      world.pass(1);
      const { status, found } = await entriesOf(route, { signedIn: of === 'users' });
      expect(status).toBeLessThan(400);
      if (of === 'nobody') {
        expect(auditExceptions[operationId]?.because).toBeTruthy();
        expect(found).toEqual([]);
      } else {
        // A sign-in also leaves one in each project whose invitation it accepts.
        const accepts = ({ action }: { action: string }) => action === 'acceptUserInvitation' && action !== operationId;
        expect(found.filter((one) => !accepts(one))).toMatchObject([{ action: operationId, outcome: 'done' }]);
      }
    },
  );
});

describe('what a game server does for its players', () => {
  const forPlayers = allRoutes.filter((route) => recordedCalls(route) === 'users');

  it.each(forPlayers.map((route) => [route.operationId, route] as const))(
    '%s with a key leaves none',
    async (_, route) => {
      expect(route.auth).toContain('apiKey');
      expect((await entriesOf(route, { signedIn: false })).found).toEqual([]);
    },
  );
});

describe('a read that gives away a secret, a recording or everything', () => {
  const reads = allRoutes
    .filter((route) => route.method === 'get' && recordedCalls(route) !== 'nobody')
    .filter((route) => recordedAnswers(route) === null);

  it.each(reads.map((route) => [route.operationId, route] as const))(
    '%s leaves an entry',
    async (operationId, route) => {
      const { status, found } = await entriesOf(route, { signedIn: false });
      expect(status).toBeLessThan(400);
      expect(found).toMatchObject([{ action: operationId, actorKind: 'apiKey' }]);
    },
  );

  it('is every read that is an export or shows a secret', () => {
    const suspicious = allRoutes.filter(
      ({ method, path, success }) =>
        method === 'get' && (/secret|export/.test(path) || /ndjson|wav|csv/.test(success.contentType ?? '')),
    );
    expect(suspicious.filter((route) => recordedCalls(route) === 'nobody')).toEqual([]);
  });
});

it('names no exception that is no operation', () => {
  const known = new Set(allRoutes.map(({ operationId }) => operationId));
  expect(Object.keys(auditExceptions).filter((name) => !known.has(name))).toEqual([]);
});

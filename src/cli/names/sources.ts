/** Lists the things of each kind, with the names that people know them by. */
import { apiKeyRoutes } from '../../contract/identity/api-keys.js';
import { pluginInstanceRoutes } from '../../contract/plugins/plugins.js';
import { projectRoutes, projectUserRoutes } from '../../contract/projects/projects.js';
import { ruleRoutes } from '../../contract/rules/rules.js';
import { webhookRoutes } from '../../contract/webhooks/webhooks.js';
import { isClosed, noneWhere } from '../command/refusals.js';
import { type Candidate, namedBy } from './candidates.js';
import { type GameplayKind, isGameplay, type Kind } from './kinds.js';
import type { Lookup, Source } from './lookup.js';
import { openCasesOf, openReviewsOf, sanctionsInForceOf } from './of-people.js';
import { ownId, ownWord } from './own-id.js';
import { peopleNear, peopleWho } from './people.js';
import { gatherings, roomsNamed, sessions } from './rooms.js';

/** The whole address, its host with and without the port, and the description. */
async function webhooks({ client, projectId }: Lookup): Promise<Candidate[]> {
  const all = await client.call(webhookRoutes.list, { params: { projectId: await projectId() } });
  return all.map(({ id, url, description }) => {
    const { host, hostname, pathname } = new URL(url);
    const names = [url, host, hostname, `${host}${pathname}`, ...(description === null ? [] : [description])];
    return { id, names: [...new Set(names)], says: description === null ? url : `${url}, ${description}` };
  });
}

const named = ({ id, name }: { readonly id: string; readonly name: string }): Candidate => ({
  id,
  names: [name],
  says: name,
});

const keys = async ({ client }: Lookup): Promise<Candidate[]> =>
  (await client.call(apiKeyRoutes.list, {})).map(({ id, name, keyPrefix, createdAt }) => ({
    id,
    names: [name, keyPrefix],
    says: `${name}, ${keyPrefix}…, created ${createdAt}`,
  }));

const colleagues = async ({ client, projectId }: Lookup) =>
  client.call(projectUserRoutes.list, { params: { projectId: await projectId() } });

/**
 * Who works in the project and its keys; where none has that name, those of the past. Somebody logged in may not list
 * colleagues, and an API key no keys: `me` needs neither.
 */
async function moderators(lookup: Lookup, typed: string): Promise<Candidate[]> {
  if (typed.toLowerCase() === ownWord) return [{ id: await ownId(lookup.client), names: [typed], says: typed }];
  const present = (await colleagues(lookup))
    .flatMap(({ userId, email, role }): Candidate[] =>
      userId === null ? [] : [{ id: userId, names: [email], says: `${email}, ${role}` }],
    )
    // An API key may not list keys.
    .concat(await keys(lookup).catch(noneWhere(isClosed)));
  if (namedBy(typed, present).length > 0) return present;
  const params = { projectId: await lookup.projectId() };
  const past = await lookup.client
    .call(projectUserRoutes.authors, { params, query: { name: typed } })
    .catch(noneWhere(isClosed));
  return [
    ...present,
    ...past.map(({ id, name, kind }) => ({ id, names: [name], says: `${name}, ${kind}, of the past` })),
  ];
}

const somebody: Source = {
  noun: 'person',
  command: 'participants list --search',
  find: peopleWho('externalUserId'),
  near: peopleNear,
};

const sources: Readonly<Record<Exclude<Kind, GameplayKind>, Source>> = {
  project: {
    noun: 'project',
    command: 'projects list',
    find: async ({ client }) => (await client.call(projectRoutes.list, {})).map(named),
  },
  room: { noun: 'room', command: 'rooms list', find: roomsNamed },
  joinedRoom: { noun: 'room', command: 'rooms list', find: roomsNamed },
  session: { noun: 'session', command: 'sessions list', find: sessions },
  person: somebody,
  personById: somebody,
  player: somebody,
  participant: { noun: 'person', command: 'participants list --search', find: peopleWho('id'), near: peopleNear },
  colleague: {
    noun: 'colleague',
    command: 'users list',
    find: async (lookup) =>
      (await colleagues(lookup)).map(({ permissionId, email, role }) => ({
        id: permissionId,
        names: [email],
        says: `${email}, ${role}`,
      })),
  },
  moderator: { noun: 'moderator or key', command: 'users list', find: moderators },
  apiKey: {
    noun: 'API key',
    command: 'api-keys list',
    find: keys,
  },
  webhook: { noun: 'webhook', command: 'webhooks list', find: webhooks },
  gathering: { noun: 'gathering', command: 'gatherings list', find: gatherings },
  sanction: { noun: 'sanction', command: 'sanctions list', find: sanctionsInForceOf, isOfPerson: true },
  review: { noun: 'review', command: 'reviews list', find: openReviewsOf, isOfPerson: true },
  case: { noun: 'case', command: 'cases list', find: openCasesOf, isOfPerson: true },
  rule: {
    noun: 'rule',
    command: 'rules list',
    find: async ({ client, projectId }) =>
      (await client.call(ruleRoutes.list, { params: { projectId: await projectId() } })).map(named),
  },
  instance: {
    noun: 'installed plugin',
    command: 'plugins installed',
    find: async ({ client, projectId }) =>
      (await client.call(pluginInstanceRoutes.list, { params: { projectId: await projectId() } })).map(
        ({ id, pluginId, enabled }) => ({ id, names: [pluginId], says: `${pluginId}, ${enabled ? 'on' : 'off'}` }),
      ),
  },
};

/** Sources that most commands never need are loaded on demand. */
export async function sourceOf(kind: Kind): Promise<Source> {
  if (!isGameplay(kind)) return sources[kind];
  const { gameplaySources } = await import('./gameplay-sources.js');
  return gameplaySources[kind];
}

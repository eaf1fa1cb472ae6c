/**
 * Finds what an operation acted on, by the names in its path, its body and its result. Of a body only ids are taken.
 */
import type { Route } from '../../../src/contract/route.js';

export interface ActionTarget {
  readonly kind: string;
  readonly id: string;
  readonly name: string | null;
}

/** Kinds of people. Their names are never stored: they are looked up when an entry is shown. */
export const personKinds = ['person', 'participant'] as const;

/** Stands in for a person who was erased. */
export const erasedId = 'erased';

/** Segment of a path → kind of what it holds. */
const kinds: Readonly<Record<string, string>> = {
  projects: 'project',
  'api-keys': 'api-key',
  users: 'project-user',
  settings: 'settings',
  sessions: 'session',
  messages: 'message',
  rooms: 'room',
  peers: 'person',
  players: 'person',
  participants: 'participant',
  people: 'person',
  notes: 'note',
  sanctions: 'sanction',
  batch: 'batch',
  batches: 'batch',
  appeal: 'review',
  'sanction-templates': 'sanction-template',
  reviews: 'review',
  reports: 'report',
  reporters: 'person',
  blocks: 'person',
  cases: 'case',
  gatherings: 'gathering',
  members: 'member',
  invitations: 'invitation',
  rules: 'rule',
  instances: 'plugin-instance',
  subscriptions: 'webhook',
  events: 'webhook-event',
  'challenge-categories': 'challenge-category',
  challenges: 'challenge',
  'battle-passes': 'battle-pass',
  'battle-pass-levels': 'battle-pass-level',
  levels: 'battle-pass-level',
  leaderboards: 'leaderboard',
  rebuilds: 'rebuild',
  plugins: 'plugin',
  season: 'season',
};

/** Kinds of configuration: their names are stored, because they say nothing about a person. */
const named: readonly string[] = [
  'project',
  'api-key',
  'sanction-template',
  'plugin-instance',
  'webhook',
  'challenge',
  'challenge-category',
  'rule',
  'battle-pass',
  'leaderboard',
  'account',
  'tenant',
  'plugin',
];
export const hasName = (kind: string): boolean => named.includes(kind);

/** Parameters and fields that name a person by the external user id, and those that name a participant. */
const personFields = ['externalUserId', 'userId', 'user_id'] as const;
const participantFields = ['participantId', 'ownerId'] as const;
const fieldKinds: Readonly<Record<string, string>> = {
  projectId: 'project',
  roomId: 'room',
  externalRoomId: 'room',
  sessionId: 'session',
  leaderboardId: 'leaderboard',
  permissionId: 'project-user',
  pluginId: 'plugin',
};
/** Limit of people in one entry, so that it stays small; more people are in the resource itself. */
const peopleMax = 20;
const targetsMax = 32;

/** The fields of an object that was sent or returned; {} for anything else. */
export const fieldsOf = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {};
/** A name or an id; null: it is none, or longer than any. */
export const nameOf = (value: unknown): string | null =>
  typeof value === 'string' && value !== '' && value.length <= 320 ? value : null;

interface Called {
  readonly route: Route;
  readonly params: unknown;
  readonly body: unknown;
}

/**
 * The kind that a parameter after this segment names; after `{memberType}` it is a team, because players are handled
 * before.
 */
const kindAfter = (segment: string): string => kinds[segment] ?? (segment.startsWith('{') ? 'team' : segment);

function fromPath({ route, params }: Called): ActionTarget[] {
  const given = fieldsOf(params);
  const segments = route.path.split('/');
  return segments.flatMap((segment, place) => {
    const [, parameter = ''] = /^\{(\w+)\}$/.exec(segment) ?? [];
    const id = nameOf(given[parameter]);
    if (id === null || parameter === 'projectId' || parameter === 'memberType') return [];
    // An erased person is not named again.
    const isErased =
      segments[place - 1] === 'erased-bans' || (route.method === 'delete' && segments[place - 1] === 'people');
    if (isErased) return [{ kind: 'person', id: erasedId, name: null }];
    const isPlayer = parameter === 'memberId' && given.memberType === 'user';
    const kind = isPlayer ? 'person' : kindAfter(segments[place - 1] ?? '');
    return [{ kind, id, name: kind === 'sanction-template' ? id : null }];
  });
}

function fromBody({ body }: Called): ActionTarget[] {
  const given = fieldsOf(body);
  const one = (kind: string, value: unknown): ActionTarget[] => {
    const id = nameOf(value);
    return id === null ? [] : [{ kind, id, name: null }];
  };
  const people = Array.isArray(given.participantIds) ? given.participantIds.slice(0, peopleMax) : [];
  const email = nameOf(given.email);
  return [
    ...personFields.flatMap((name) => one('person', given[name])),
    ...participantFields.flatMap((name) => one('participant', given[name])),
    ...people.flatMap((id) => one('participant', id)),
    ...Object.entries(fieldKinds).flatMap(([name, kind]) => one(kind, given[name])),
    ...(email === null ? [] : [{ kind: 'account', id: email.toLowerCase(), name: email.toLowerCase() }]),
  ];
}

/** Returns the resource that the operation created, or changed and returned. */
function fromResult({ route, body }: Called, result: unknown): ActionTarget[] {
  const given = fieldsOf(result);
  const id = nameOf(given.id) ?? nameOf(given.permissionId);
  const segment = route.path.split('/').findLast((part) => kinds[part] !== undefined);
  if (id === null || segment === undefined || route.auth.length === 0) return [];
  const kind = kinds[segment] ?? '';
  const name = hasName(kind) ? (calledIn(given) ?? calledIn(fieldsOf(body))) : null;
  return [{ kind, id, name }, ...withdrawnIn(given)];
}

/** Returns the keys and invitations that ended together with the access of whoever made them. */
function withdrawnIn({ made }: Readonly<Record<string, unknown>>): ActionTarget[] {
  return (Array.isArray(made) ? made.map(fieldsOf) : []).flatMap(({ withdrawn, kind, id }) => {
    const known = nameOf(id);
    if (withdrawn !== true || known === null) return [];
    return [{ kind: kind === 'apiKey' ? 'api-key' : 'project-user', id: known, name: null }];
  });
}

/** By its name, in one of its languages; a webhook by its description, else by the host that it sends to. */
function calledIn({ name, description, url }: Readonly<Record<string, unknown>>): string | null {
  if (name !== undefined) return nameOf(name) ?? nameOf(fieldsOf(name).en) ?? nameOf(Object.values(fieldsOf(name))[0]);
  if (typeof url !== 'string') return null;
  return nameOf(description) ?? (URL.canParse(url) ? nameOf(new URL(url).host) : null);
}

/** A room may have the id of a person. */
export const isSame = (one: ActionTarget, other: ActionTarget): boolean =>
  one.kind === other.kind && one.id === other.id;

/** The external user ids among them. */
export const personIds = (targets: readonly ActionTarget[]): ReadonlySet<string> =>
  new Set(targets.filter(({ kind }) => kind === 'person').map(({ id }) => id));

/** In this order, without repetition: what the path names, what was created, and what the body names. */
export function targetsOf(call: Called, result: unknown): ActionTarget[] {
  const inPath = fromPath(call);
  // A result whose id is in the path is the thing that the path names.
  const made = fromResult(call, result).map((one) => ({
    ...one,
    kind: inPath.find(({ id }) => id === one.id)?.kind ?? one.kind,
  }));
  const found: ActionTarget[] = [];
  for (const target of [...inPath, ...made, ...fromBody(call)]) {
    const place = found.findIndex((one) => isSame(one, target));
    const known = found[place];
    if (known === undefined) found.push(target);
    else if (known.name === null && hasName(known.kind)) found[place] = { ...known, name: target.name };
  }
  const project = nameOf(fieldsOf(call.params).projectId);
  if (found.length === 0 && project !== null) {
    const isItself = call.route.path === '/api/projects/{projectId}';
    return [{ kind: 'project', id: project, name: isItself ? nameOf(fieldsOf(call.body).name) : null }];
  }
  return found.slice(0, targetsMax);
}

/** Names of the fields that were sent. */
export const changedFields = (body: unknown): string[] => Object.keys(fieldsOf(body)).slice(0, 64).sort();

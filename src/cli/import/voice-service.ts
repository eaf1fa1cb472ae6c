/** Moves what a hosted service of voice rooms and moderation has, by its API: the one that Earshot's own is the same as. */
import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import { ApiError } from '../../client/errors.js';
import { gatheringMemberRoutes } from '../../contract/gatherings/gathering-members.js';
import { CreateGatheringRequest, gatheringRoutes } from '../../contract/gatherings/gatherings.js';
import { SanctionType } from '../../contract/moderation/sanction-record.js';
import { sanctionRoutes } from '../../contract/moderation/sanctions.js';
import { settingsRoutes } from '../../contract/projects/settings.js';
import { webhookRoutes } from '../../contract/webhooks/webhooks.js';
import type { ImportRun } from './move.js';
import { movePeople } from './people.js';
import type { SourceApi } from './source-api.js';

const Text = z.string().nullish();
const Free = z.record(z.string(), z.json()).nullish();
const Person = z.object({ id: z.string(), externalUserId: z.string(), displayName: Text, userData: Free });
const SourceSanction = z.object({
  id: z.string(),
  type: z.string(),
  externalUserId: Text,
  participantId: Text,
  sessionId: Text,
  reason: Text,
  note: Text,
  startAt: Text,
  endAt: Text,
  createdAt: Text,
  metadata: Free,
  status: Text,
  isActive: z.boolean().nullish(),
});
const SourceGathering = z.looseObject({
  id: z.string(),
  name: z.string(),
  status: z.string(),
  properties: Free,
  members: z.array(z.object({ participantId: z.string(), role: Text, status: Text })).nullish(),
});
const SourceWebhook = z.object({
  id: z.string(),
  url: z.string(),
  events: z.array(z.string()),
  description: Text,
  authType: Text,
});
const SourceSettings = z.object({ tokenProvider: Text, botUserId: Text, botUserData: Free });
const SourceSession = z.looseObject({ id: z.string(), title: Text });

type PathOf = (path: string) => string;

/** `transcripts`: takes each session with its messages; absent: they are counted and left. */
export async function moveVoiceService(
  move: ImportRun,
  api: SourceApi,
  fromProject: string,
  transcripts: ((session: object) => Promise<void>) | undefined,
): Promise<void> {
  const at: PathOf = (path) => `/api/projects/${encodeURIComponent(fromProject)}/${path}`;
  const people = await api.all(at('participants'), 'participants', Person);
  await movePeople(move, people);
  const nameOf = new Map(people.map(({ id, externalUserId }) => [id, externalUserId]));
  // Before the sanctions: who is banned gets no seat.
  await moveGatherings(move, api, at);
  await moveSanctions(move, await api.all(at('sanctions'), 'sanctions', SourceSanction), nameOf);
  await moveWebhooks(move, await api.list(at('webhooks/subscriptions'), ['subscriptions'], SourceWebhook));
  await moveSettings(move, api.read('settings', SourceSettings, await api.get(at('settings'))));
  await keepSessions(move, api, at, transcripts);
}

async function moveSanctions(
  move: ImportRun,
  all: readonly z.output<typeof SourceSanction>[],
  nameOf: ReadonlyMap<string, string>,
): Promise<void> {
  const here = await move.all(
    (query) => move.client.call(sanctionRoutes.list, { params: move.params, query }),
    (page) => page.sanctions,
  );
  const marked = move.marked(here.map(({ id, metadata: data }) => ({ id, data })));
  // The oldest first, as they were imposed.
  const inOrder = [...all].sort((a, b) => ((a.createdAt ?? '') < (b.createdAt ?? '') ? -1 : 1));
  await move.carry(
    'sanctions',
    inOrder.map((one) => {
      const externalUserId = one.externalUserId ?? nameOf.get(one.participantId ?? '');
      const type = SanctionType.safeParse(one.type);
      // One that is yet to begin is active by its status, and not in force.
      const isOver = (one.status ?? (one.isActive === false ? 'expired' : 'active')) !== 'active';
      const left =
        externalUserId === undefined
          ? 'names nobody'
          : !type.success
            ? `the type ${one.type} is unknown here`
            : isOver
              ? 'is over'
              : one.sessionId
                ? 'is limited to a session, which stays there'
                : undefined;
      return {
        from: one.id,
        label: `${one.type} of ${externalUserId ?? 'nobody'} (${one.id})`,
        there: marked.get(one.id) ?? null,
        left,
        create: async () => {
          const body = {
            type: SanctionType.parse(one.type),
            externalUserId: externalUserId ?? '',
            ...(one.reason ? { reason: one.reason } : {}),
            ...(one.note ? { note: one.note } : {}),
            ...(one.startAt ? { startAt: one.startAt } : {}),
            ...(one.endAt ? { endAt: one.endAt } : {}),
            metadata: { ...one.metadata, ...move.mark(one.id) },
          };
          return (await move.client.call(sanctionRoutes.create, { params: move.params, body })).id;
        },
      };
    }),
  );
}

const open: readonly string[] = ['CREATED', 'STARTED'];

async function moveGatherings(move: ImportRun, api: SourceApi, at: PathOf): Promise<void> {
  const listed = await api.all(at('gatherings'), 'gatherings', SourceGathering);
  const here = await move.all(
    (query) => move.client.call(gatheringRoutes.list, { params: move.params, query }),
    (page) => page.gatherings,
  );
  const marked = move.marked(here.map(({ id, properties: data }) => ({ id, data })));
  const whole = new Map<string, z.output<typeof SourceGathering>>();
  for (const { id, status } of listed)
    if (open.includes(status)) {
      const path = at(`gatherings/${id}`);
      whole.set(id, api.read(path, SourceGathering, await api.get(path, { includeMembers: 'true' })));
    }
  const isIn = ({ status }: { status?: string | null | undefined }) => status === 'joined' || status === 'ready';
  const ownerOf = ({ members }: z.output<typeof SourceGathering>) =>
    move.idOf('participants', members?.find((one) => one.role === 'owner' && isIn(one))?.participantId ?? '');
  await move.carry(
    'gatherings',
    listed.map((one) => ({
      from: one.id,
      label: one.name,
      there: marked.get(one.id) ?? null,
      left: open.includes(one.status) ? undefined : `is ${one.status.toLowerCase()}`,
      create: async () => {
        const source = whole.get(one.id) ?? one;
        const {
          inviterEmail: _,
          inviterName: __,
          ownerId: ___,
          participants: ____,
          ...fields
        } = CreateGatheringRequest.shape;
        const stated = Object.entries(source).filter(([name, value]) => name in fields && value !== null);
        const ownerId = ownerOf(source);
        const body = CreateGatheringRequest.parse({
          ...Object.fromEntries(stated),
          properties: { ...one.properties, ...move.mark(one.id) },
          ...(ownerId === undefined ? {} : { ownerId }),
        });
        const { id, joinCode } = await move.client.call(gatheringRoutes.create, { params: move.params, body });
        move.differs(`gatherings ${one.name}: the join code is ${joinCode} now`);
        return id;
      },
    })),
  );
  const seats = [...whole].flatMap(([id, { name, members }]) =>
    (members ?? []).filter(isIn).map((member) => ({ id, name, ...member })),
  );
  const taken = new Map<string, ReadonlySet<string>>();
  for (const id of new Set(seats.map((seat) => move.idOf('gatherings', seat.id)))) {
    if (id === undefined) continue;
    const members = await move.client.call(gatheringMemberRoutes.list, { params: { ...move.params, id } });
    taken.set(id, new Set(members.map(({ participantId }) => participantId)));
  }
  await move.carry(
    'members',
    seats.map(({ id: from, name, participantId, role }) => {
      const [id, person] = [move.idOf('gatherings', from), move.idOf('participants', participantId)];
      const isTaken = id !== undefined && person !== undefined && taken.get(id)?.has(person) === true;
      return {
        from: `${from}/${participantId}`,
        label: `${participantId} of ${name}`,
        there: isTaken ? `${id}/${person}` : null,
        create: async () => {
          const body = {
            participantId: person ?? '',
            role: role === 'owner' ? ('owner' as const) : ('member' as const),
          };
          await move.client.call(gatheringMemberRoutes.add, { params: { ...move.params, id: id ?? '' }, body });
          return `${id}/${person}`;
        },
      };
    }),
  );
}

/** Secrets stay with the service: a subscription is made disabled, with a new secret that nobody has. */
async function moveWebhooks(move: ImportRun, all: readonly z.output<typeof SourceWebhook>[]): Promise<void> {
  const here = await move.client.call(webhookRoutes.list, { params: move.params });
  const sameAs = ({ url, events }: z.output<typeof SourceWebhook>) =>
    here.find((one) => one.url === url && [...one.events].sort().join() === [...events].sort().join());
  await move.carry(
    'webhooks',
    all.map((one) => ({
      from: one.id,
      label: one.url,
      there: sameAs(one)?.id ?? null,
      create: async () => {
        const secret = `whsec_${randomBytes(32).toString('base64')}`;
        const body = { url: one.url, events: one.events, secret, description: one.description ?? null };
        const { id } = await move.client.call(webhookRoutes.create, { params: move.params, body });
        await move.client.call(webhookRoutes.update, { params: { ...move.params, id }, body: { enabled: false } });
        const credentials = one.authType && one.authType !== 'none' ? `, the credentials (${one.authType})` : '';
        move.differs(
          `webhooks ${one.url}: is disabled, because its secret${credentials} cannot be read there: set it, then \`earshot webhooks update ${id} --enabled\``,
        );
        return id;
      },
    })),
  );
}

async function moveSettings(move: ImportRun, source: z.output<typeof SourceSettings>): Promise<void> {
  const here = await move.client.call(settingsRoutes.get, { params: move.params }).catch((error: unknown) => {
    if (error instanceof ApiError && error.code === 'settings_not_found') return null;
    throw error;
  });
  const { botUserId, botUserData } = source;
  const isSame = here !== null && here.botUserId === (botUserId ?? null) && same(here.botUserData, botUserData ?? null);
  const body = { botUserId: botUserId ?? null, botUserData: botUserData ?? null };
  await move.carry('settings', [
    {
      from: 'settings',
      label: 'of the bot',
      there: isSame ? move.projectId : null,
      create: async () => {
        if (here === null)
          await move.client.call(settingsRoutes.put, {
            params: move.params,
            body: { tokenProvider: 'embedded', ...body },
          });
        else await move.client.call(settingsRoutes.update, { params: move.params, body });
        return move.projectId;
      },
    },
  ]);
  if (source.tokenProvider && source.tokenProvider !== (here?.tokenProvider ?? 'embedded'))
    move.differs(
      `settings: rooms are those of ${here?.tokenProvider ?? 'embedded'} here and of ${source.tokenProvider} there, with secrets that cannot be read: \`earshot settings set\``,
    );
}

/** Key order does not count. */
const same = (one: unknown, other: unknown): boolean => canonical(one) === canonical(other);
const canonical = (value: unknown): string =>
  JSON.stringify(value, (_, inner: unknown) =>
    typeof inner === 'object' && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  );

async function keepSessions(
  move: ImportRun,
  api: SourceApi,
  at: PathOf,
  keep: ((session: object) => Promise<void>) | undefined,
): Promise<void> {
  const sessions = await api.all(at('sessions'), 'sessions', SourceSession);
  await move.carry(
    'sessions',
    sessions.map((session) => ({
      from: session.id,
      label: session.title ?? session.id,
      there: null,
      left: keep === undefined ? 'its transcript stays there; --transcripts FILE keeps it' : undefined,
      create: async () => {
        const messages = await api.list(at(`sessions/${session.id}/messages`), ['messages'], z.looseObject({}));
        await keep?.({ ...session, messages });
        return 'file';
      },
    })),
  );
}

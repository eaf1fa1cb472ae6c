/** A program of somebody else that has the client alone, in CommonJS or in ES modules: types are inferred, and calls reach a daemon. */
import {
  ApiError,
  DaemonUnreachable,
  EarshotClient,
  type EventOf,
  events,
  NotEarshot,
  RoomEvents,
  requestAccess,
  routes,
  type SanctionResponse,
  UnexpectedAnswer,
} from 'earshot-client';
import type { RoomCallOptions } from 'earshot-client/rooms';
import { verifyWebhook, WebhookRefused } from 'earshot-client/verify';

const { EARSHOT_URL: baseUrl = '', EARSHOT_API_KEY: key = '', EARSHOT_PROJECT: projectId = '' } = process.env;
const client = new EarshotClient({ baseUrl, credential: { kind: 'apiKey', key } });
const params = { projectId };

function assert(holds: boolean, what: string): asserts holds {
  if (!holds) throw new Error(`Not so: ${what}`);
}

/** Never called: what may not compile. */
export const refused = (sanction: SanctionResponse) => [
  // @ts-expect-error there is no such kind of sanction
  client.call(routes.sanctions.create, { params, body: { type: 'shout' } }),
  // @ts-expect-error the project is missing
  client.call(routes.sanctions.list, { params: {} }),
  // @ts-expect-error a limit is a number
  client.call(routes.sanctions.list, { params, query: { limit: true } }),
  // @ts-expect-error a sanction has no such field
  sanction.endsAt,
];
export type Sound = RoomCallOptions['onSound'];
export const imposed = ({ payload }: EventOf<'sanction.created'>): string | null =>
  payload.data.redacted ? null : payload.data.endAt;

async function calls(): Promise<SanctionResponse> {
  const participant = await client.call(routes.participants.create, { params, body: { externalUserId: 'u1' } });
  const name: string = participant.externalUserId;
  const body = { type: 'mute', externalUserId: name, duration: 600, reason: 'shouting' } as const;
  const sanction = await client.call(routes.sanctions.create, { params, body });
  const end: string | null = sanction.endAt;
  assert(end !== null && sanction.type === 'mute', 'the sanction comes back as it was imposed');
  const { sanctions } = await client.call(routes.sanctions.list, { params, query: { activeOnly: true, limit: 5 } });
  assert(sanctions[0]?.id === sanction.id, 'a query takes numbers and flags as what they are');
  for (let people = 0; people < 60; people += 1)
    await client.call(routes.participants.create, { params, body: { externalUserId: `p${people}` } });
  const page = await client.call(routes.participants.list, { params });
  assert(
    page.participants.length === 50 && page.total === 61,
    'a list is as long as the daemon has it without a limit',
  );
  return sanction;
}

async function refusals(): Promise<void> {
  const id = '019b0000-0000-7000-8000-000000000000';
  const refusal = await client.call(routes.sanctions.get, { params: { ...params, id } }).catch((error) => error);
  assert(refusal instanceof ApiError && refusal.status === 404 && refusal.code === 'sanction_not_found', 'ApiError');
  const nobody = new EarshotClient({ baseUrl: 'http://127.0.0.1:9' });
  const silence = await nobody.call(routes.accounts.me, {}).catch((error) => error);
  assert(silence instanceof DaemonUnreachable, 'DaemonUnreachable');
  const transport = async () => new Response('<html>');
  const page = new EarshotClient({ baseUrl, transport });
  assert((await page.call(routes.accounts.me, {}).catch((error) => error)) instanceof NotEarshot, 'NotEarshot');
  const other = new EarshotClient({ baseUrl, transport: async () => new Response('{ "id": 7 }') });
  const unexpected = await other.call(routes.accounts.me, {}).catch((error) => error);
  assert(unexpected instanceof UnexpectedAnswer, 'an answer of another form');
}

async function follows(sanction: SanctionResponse): Promise<void> {
  const reasons: (string | null)[] = [];
  const notices: string[] = [];
  const onNotice = ({ kind }: { kind: string }) => notices.push(kind);
  for await (const event of client.events({ projectId, types: 'sanction.*', since: 'earliest', onNotice })) {
    if (event.type !== 'sanction.created') continue;
    const { data } = event.payload;
    if (!data.redacted) reasons.push(data.reason);
    break;
  }
  assert(reasons[0] === 'shouting' && notices[0] === 'connected', 'the stream tells of the sanction');
  assert(events['sanction.created'].safeParse(sanction).success, 'events hold the forms of their data');
  assert(!events['sanction.created'].safeParse({ ...sanction, id: 7 }).success, 'which a number does not fit');
}

async function rooms(): Promise<void> {
  const access = await requestAccess(client, projectId, { roomId: 'lobby', userId: 'u1' });
  const room = new RoomEvents(access);
  const state = new Promise<string>((resolve) => room.subscribe(({ type }) => resolve(type)));
  await room.open();
  assert((await state) === 'room.state', 'the room sends its state');
  room.close();
}

async function signatures(): Promise<void> {
  const lie = await verifyWebhook('{}', { 'webhook-id': '1' }, 'whsec_c2VjcmV0').catch((error) => error);
  assert(lie instanceof WebhookRefused, 'an unsigned webhook is refused');
}

calls()
  .then(follows)
  .then(refusals)
  .then(rooms)
  .then(signatures)
  .then(() => console.log('all of it'));

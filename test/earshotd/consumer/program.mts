/** A program of somebody else: types are inferred to the last field, and the calls reach a daemon. */
import {
  ApiError,
  DaemonUnreachable,
  EarshotClient,
  type EventOf,
  events,
  requestAccess,
  routes,
  sign,
  verify,
  verifyWebhook,
  WebhookRefused,
} from 'earshot';
import { endMedia, RoomListener, RoomPublisher, speechFrames } from 'earshot/voice';

const { EARSHOT_URL: baseUrl = '', EARSHOT_API_KEY: key = '', EARSHOT_PROJECT: projectId = '' } = process.env;
const client = new EarshotClient({ baseUrl, credential: { kind: 'apiKey', key } });
const params = { projectId };

function assert(holds: boolean, what: string): asserts holds {
  if (!holds) throw new Error(`Not so: ${what}`);
}

// Params, query, body and result of a call.
const participant = await client.call(routes.participants.create, { params, body: { externalUserId: 'u1' } });
const name: string = participant.externalUserId;
const sanction = await client.call(routes.sanctions.create, {
  params,
  body: { type: 'mute', externalUserId: name, duration: 600, reason: 'shouting' },
});
const end: string | null = sanction.endAt;
assert(end !== null && sanction.type === 'mute', 'the sanction comes back as it was imposed');
const { sanctions } = await client.call(routes.sanctions.list, { params, query: { activeOnly: true, limit: 5 } });
assert(sanctions[0]?.id === sanction.id, 'a query takes numbers and flags as what they are');

/** Never called: what may not compile. */
export const refused = () => [
  // @ts-expect-error there is no such kind of sanction
  client.call(routes.sanctions.create, { params, body: { type: 'shout' } }),
  // @ts-expect-error the project is missing
  client.call(routes.sanctions.list, { params: {} }),
  // @ts-expect-error a limit is a number
  client.call(routes.sanctions.list, { params, query: { limit: true } }),
  // @ts-expect-error a sanction has no such field
  sanction.endsAt,
];

// Refusals say what to do.
const unknown = '019b0000-0000-7000-8000-000000000000';
const refusal = await client.call(routes.sanctions.get, { params: { ...params, id: unknown } }).catch((error) => error);
assert(refusal instanceof ApiError && refusal.status === 404 && refusal.code === 'sanction_not_found', 'ApiError');
const nobody = new EarshotClient({ baseUrl: 'http://127.0.0.1:9' });
const silence = await nobody.call(routes.accounts.me, {}).catch((error) => error);
assert(silence instanceof DaemonUnreachable, 'DaemonUnreachable');

// Events, narrowed by their type; those of the past first.
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
const stop = new AbortController();
setTimeout(() => stop.abort(), 100);
for await (const { id } of client.events({ projectId, signal: stop.signal })) assert(id !== '', 'ends by its signal');

// Kinds of events, as schemas and as types.
const imposed = ({ payload }: EventOf<'sanction.created'>) => (payload.data.redacted ? null : payload.data.endAt);
assert(typeof imposed === 'function' && events['sanction.created'].safeParse(sanction).success, 'events hold schemas');

// Signatures.
const lie = await verifyWebhook('{}', { 'webhook-id': '1' }, 'whsec_c2VjcmV0').catch((error) => error);
assert(lie instanceof WebhookRefused, 'an unsigned webhook is refused');
const now = new Date();
const signature = sign('secret', now.toISOString(), 'body');
assert(verify('secret', now.toISOString(), signature, 'body', now), 'ingested events are signed and verified');

// A voice in a room.
const access = (userId: string) => requestAccess(client, projectId, { roomId: 'hall', userId });
const heard = new Set<string>();
const listener = new RoomListener(await access('ear'), { onFrame: ({ speaker }) => heard.add(speaker) });
const speaker = new RoomPublisher(await access('mouth'));
await listener.join();
await speaker.join();
const second = { rate: 48_000, length: 48_000, at: (index: number) => Math.sin(index / 20) / 2 };
await speaker.play(speechFrames(second, 0));
assert(heard.has('mouth'), 'what is spoken is heard by name');
await Promise.all([speaker.leave(), listener.leave()]);
endMedia();

// An empty answer is undefined. Whatever was known of the person goes with them, so this comes last.
const nothing: undefined = await client.call(routes.participants.remove, { params: { ...params, id: participant.id } });
assert(nothing === undefined, 'an empty answer is undefined');

console.log('all of it');

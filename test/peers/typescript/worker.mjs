/** A worker of somebody else, in which each path tries one thing that the client does. */
import { EarshotClient, RoomEvents, requestAccess, routes } from 'earshot-client';
import { verifyWebhook } from 'earshot-client/verify';

const told = (error) => `${error.name} ${error.code ?? error.message}`;
const me = (baseUrl, options = {}) =>
  new EarshotClient({ baseUrl, ...options }).call(routes.accounts.me, {}).then(() => 'answered', told);

/** Sent before there is a request, which a worker may not. */
const tooEarly = me('http://127.0.0.1:9');
/** The body of an answer to an earlier request, which a later one may not read. */
let earlier = null;

const paths = {
  async call(client, params) {
    const body = { type: 'mute', externalUserId: 'u1', duration: 600, reason: 'shouting' };
    const { type, duration } = await client.call(routes.sanctions.create, { params, body });
    const id = '019b0000-0000-7000-8000-000000000000';
    const refusal = await client.call(routes.sanctions.get, { params: { ...params, id } }).catch(told);
    return { type, endsWithin: duration, refusal };
  },
  async events(client, { projectId }) {
    for await (const { type, payload } of client.events({ projectId, types: 'sanction.*', since: 'earliest' }))
      return [type, payload.data.reason];
  },
  async room(client, { projectId }) {
    const room = new RoomEvents(await requestAccess(client, projectId, { roomId: 'lobby', userId: 'u1' }));
    const state = new Promise((resolve) => room.subscribe(({ type }) => resolve(type)));
    await room.open();
    const type = await state;
    room.close();
    return type;
  },
  nobody: () => me('http://127.0.0.1:9'),
  silence: (_client, _params, { SILENT_URL }) => me(SILENT_URL, { timeoutMs: 500 }),
  'too-early': () => tooEarly,
  async 'another-request'(_client, _params, { EARSHOT_URL }) {
    earlier ??= await fetch(EARSHOT_URL);
    const transport = async (url, request) => {
      await earlier.clone().text();
      return fetch(url, request);
    };
    return me(EARSHOT_URL, { transport });
  },
};

export default {
  async fetch(request, environment) {
    const { EARSHOT_URL: baseUrl, EARSHOT_API_KEY: key, EARSHOT_PROJECT: projectId } = environment;
    const path = new URL(request.url).pathname.slice(1);
    if (path === 'webhook') {
      const verified = verifyWebhook(await request.text(), request.headers, environment.EARSHOT_WEBHOOK_SECRET);
      return verified.then(
        () => new Response(null, { status: 204 }),
        () => new Response(null, { status: 400 }),
      );
    }
    const play = paths[path];
    if (play === undefined) return new Response(null, { status: 404 });
    const client = new EarshotClient({ baseUrl, credential: { kind: 'apiKey', key } });
    return Response.json(await play(client, { projectId }, environment));
  },
};

/** Room tokens by provider, judged by what the provider's own library makes of them. */
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { generateAccessKey, getKeyId, loadAccessKey } from '@4players/odin-tokens';
import { decodeJwt, importJWK, jwtVerify } from 'jose';
import { TokenVerifier } from 'livekit-server-sdk';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { SanctionType } from '../../src/contract/moderation/sanction-record.js';
import { sanctionRoutes } from '../../src/contract/moderation/sanctions.js';
import { participantRoutes } from '../../src/contract/people/participants.js';
import { projectRoutes } from '../../src/contract/projects/projects.js';
import {
  settingsRoutes,
  type TokenProvider,
  type TokenProviderSettings,
} from '../../src/contract/projects/settings.js';
import { type GenerateTokenResponse, tokenRoutes } from '../../src/contract/rooms/tokens.js';
import { startDaemon, type TestDaemon } from '../support/daemon.js';
import { deadOffer, postOffer } from '../support/room-client.js';

const halfDaySeconds = 12 * 3_600;
/** Whole seconds, as tokens have them. */
let time = new Date(Math.floor(Date.now() / 1_000) * 1_000);
let daemon: TestDaemon;
let projectId: string;
beforeAll(async () => {
  daemon = await startDaemon({ now: () => time, settings: { EARSHOT_OUTBOUND_ALLOW: '127.0.0.1' } });
});
afterAll(() => daemon.stop());
beforeEach(async () => {
  projectId = (await daemon.admin.call(projectRoutes.create, { body: { name: `p${crypto.randomUUID()}` } })).id;
});

type Asked = Partial<Parameters<typeof daemon.client.call<typeof tokenRoutes.generateForProject>>[1]['body']>;
const token = (asked: Asked = {}): Promise<GenerateTokenResponse> =>
  daemon.client.call(tokenRoutes.generateForProject, {
    params: { projectId },
    body: { roomId: 'r1', userId: 'u1', ...asked },
  });
const provide = (tokenProvider: TokenProvider, tokenProviderSettings: TokenProviderSettings = {}) =>
  daemon.admin.call(settingsRoutes.put, { params: { projectId }, body: { tokenProvider, tokenProviderSettings } });
const sanction = (type: SanctionType, duration?: number) =>
  daemon.client.call(sanctionRoutes.create, {
    params: { projectId },
    body: { type, externalUserId: 'u1', ...(duration === undefined ? {} : { duration }) },
  });

describe('a room token', () => {
  it('needs settings', async () => {
    await expect(token()).rejects.toMatchObject({ status: 400, code: 'settings_not_configured' });
  });

  it('is not given out with an id of the bot or of observers', async () => {
    await daemon.admin.call(settingsRoutes.put, {
      params: { projectId },
      body: { tokenProvider: 'embedded', botUserId: 'scribe' },
    });
    for (const userId of ['earshot-bot', 'scribe', 'observer:1'])
      await expect(token({ userId })).rejects.toMatchObject({ status: 400, code: 'external_user_id_reserved' });
    const known = { params: { projectId }, body: { externalUserId: 'observer:1', displayName: 'Ann' } };
    await expect(daemon.client.call(participantRoutes.create, known)).rejects.toMatchObject({
      status: 400,
      code: 'validation_failed',
    });
    expect(await token({ userId: 'observers' })).toMatchObject({ provider: 'embedded' });
  });

  it('is made for the project in the body too', async () => {
    await provide('embedded');
    const body = { projectId, roomId: 'r1', userId: 'u1' };
    const made = await daemon.client.call(tokenRoutes.generate, { body });
    expect(decodeJwt(made.token)).toMatchObject({ project: projectId, room: 'r1', sub: 'u1' });
  });

  it('comes with the password of the room where encryption is manual', async () => {
    await provide('embedded');
    expect((await token()).e2ee).toBeNull();
    const body = { mode: 'manual' as const, password: 'a room password' };
    await daemon.admin.call(settingsRoutes.e2eEncryption, { params: { projectId }, body });
    expect((await token()).e2ee).toEqual({ mode: 'manual', key: 'a room password', keyIndex: 0 });
  });
});

describe('a token for the embedded rooms', () => {
  beforeEach(() => provide('embedded'));
  const enter = async (made: GenerateTokenResponse, roomId = 'r1') => {
    const response = await fetch(`${daemon.url}/rooms/${roomId}/events`, {
      headers: { Authorization: `Bearer ${made.token}` },
    });
    await response.body?.cancel();
    return response.status;
  };

  it('says who may do what where, and until when', async () => {
    const made = await token({ displayName: 'Ünï', userData: { team: 3 } });
    expect(made).toMatchObject({ provider: 'embedded', roomId: 'r1', url: `${daemon.url}/rooms/r1` });
    const iat = time.getTime() / 1_000;
    expect(decodeJwt(made.token)).toMatchObject({
      sub: 'u1',
      project: projectId,
      room: 'r1',
      name: 'Ünï',
      userData: { team: 3 },
      publish: true,
      subscribe: true,
      moderate: false,
      iat,
      joinBefore: iat + 300,
      exp: iat + halfDaySeconds,
    });
    expect(made.expiresAt).toBe(new Date((iat + halfDaySeconds) * 1_000).toISOString());
  });

  it('has the name that the project knows where none is given', async () => {
    const body = { externalUserId: 'u7', displayName: 'Cleo' };
    await daemon.client.call(participantRoutes.create, { params: { projectId }, body });
    const names = [];
    for (const asked of [{ userId: 'u7' }, { userId: 'u7', displayName: 'C.' }, { userId: 'u8' }])
      names.push(decodeJwt((await token(asked)).token).name);
    expect(names).toEqual(['Cleo', 'C.', 'u8']);
  });

  it('opens its room and no other', async () => {
    const made = await token();
    expect([await enter(made), await enter(made, 'r2')]).toEqual([200, 401]);
  });

  it('opens nothing once its person was erased, used or not; one made later does', async () => {
    const erase = async () => {
      const body = { externalUserId: 'u1' };
      const { id } = await daemon.client.call(participantRoutes.create, { params: { projectId }, body });
      await daemon.client.call(participantRoutes.remove, { params: { projectId, id } });
    };
    const [used, unused, others] = [await token(), await token(), await token({ userId: 'u2' })];
    expect(await enter(used)).toBe(200);
    await erase();
    expect([await enter(used), await enter(unused), await enter(others)]).toEqual([401, 401, 200]);
    time = new Date(time.getTime() + 1_000);
    const later = await token();
    expect(await enter(later)).toBe(200);
    await erase();
    expect([await enter(later), await enter(used)]).toEqual([401, 401]);
  });

  it('that was not used within five minutes opens nothing', async () => {
    const made = await token();
    time = new Date(time.getTime() + 300_001);
    expect(await enter(made)).toBe(401);
  });

  it('that was used in time lets its person come back for twelve hours, and not a second longer', async () => {
    time = new Date(Math.ceil(time.getTime() / 1_000) * 1_000);
    const made = await token();
    const begun = time.getTime();
    const joinAfter = async (seconds: number): Promise<number> => {
      time = new Date(begun + seconds * 1_000);
      return (await postOffer(daemon.url, 'whip', 'r1', made.token, deadOffer('whip'))).status;
    };
    expect(await joinAfter(300)).toBe(201);
    expect(await joinAfter(301)).toBe(201);
    expect(await joinAfter(halfDaySeconds - 1)).toBe(201);
    expect(await joinAfter(halfDaySeconds)).toBe(401);
    time = new Date(begun); // the login of the other tests would have ended too
  });
});

describe('a LiveKit token', () => {
  const [apiKey, apiSecret] = ['APIkey', 'a secret of thirty-two characters'];
  const claims = async (made: GenerateTokenResponse) => new TokenVerifier(apiKey, apiSecret).verify(made.token);
  beforeEach(() => provide('livekit', { url: 'wss://voice.example', apiKey, apiSecret }));

  it('holds before the server that the settings name', async () => {
    const made = await token({ displayName: 'Ann', userData: { team: 3 } });
    expect(made).toMatchObject({ provider: 'livekit', url: 'wss://voice.example', roomId: 'r1' });
    expect(await claims(made)).toMatchObject({
      sub: 'u1',
      name: 'Ann',
      metadata: '{"team":3}',
      video: { roomJoin: true, room: 'r1', canPublish: true, canSubscribe: true },
    });
  });

  it('does not hold under another secret', async () => {
    const other = new TokenVerifier(apiKey, 'another secret of thirty-two chars');
    await expect(other.verify((await token()).token)).rejects.toThrow();
  });

  it('grants what is asked for and no more than the sanctions leave', async () => {
    expect((await claims(await token({ permissions: { publish: true, subscribe: false } }))).video).toMatchObject({
      canPublish: true,
      canSubscribe: false,
    });
    await sanction('mute');
    expect((await claims(await token({ permissions: { publish: true } }))).video).toMatchObject({ canPublish: false });
  });
});

describe('an ODIN token', () => {
  const accessKey = generateAccessKey();
  beforeEach(() => provide('access_key', { accessKey }));

  it('is signed by the access key, for the room and the user', async () => {
    const made = await token();
    expect(made).toMatchObject({ provider: 'access_key', url: null, roomId: 'r1' });
    const { publicKey } = loadAccessKey(accessKey);
    const jwk = { kty: 'OKP', crv: 'Ed25519', x: Buffer.from(publicKey).toString('base64url') };
    const { payload, protectedHeader } = await jwtVerify(made.token, await importJWK(jwk, 'EdDSA'));
    expect(payload).toMatchObject({ rid: 'r1', uid: 'u1' });
    expect((payload.exp ?? 0) - (payload.nbf ?? 0)).toBe(halfDaySeconds);
    expect(protectedHeader.kid).toBe(getKeyId(publicKey));
  });

  it('is not made for a moderator: only the rooms of this daemon show more', async () => {
    await expect(token({ permissions: { moderate: true } })).rejects.toMatchObject({
      ...{ status: 409, code: 'provider_unsupported' },
    });
  });

  it('is not made for an observer: only the rooms of this daemon show who one is', async () => {
    const refused = daemon.client.call(tokenRoutes.observe, { params: { projectId, roomId: 'r1' } });
    await expect(refused).rejects.toMatchObject({ status: 409, code: 'provider_unsupported' });
  });

  it('is not made for who may not speak, because it could not hold that', async () => {
    const { id } = await sanction('mute');
    await expect(token()).rejects.toMatchObject({ status: 409, code: 'provider_unsupported' });
    await daemon.client.call(sanctionRoutes.revoke, { params: { projectId, id }, body: {} });
    expect((await token()).provider).toBe('access_key');
  });

  it('of an access key that is none is refused, and the key is not repeated', async () => {
    await provide('access_key', { accessKey: 'not an access key' });
    const refused = token();
    await expect(refused).rejects.toMatchObject({ status: 502, code: 'token_provider_failed' });
    await expect(refused).rejects.not.toThrow(/not an access key/);
  });
});

describe("a token of the project's own endpoint", () => {
  let answer: { status: number; body: string };
  const asked: { authorization: string | undefined; body: unknown }[] = [];
  const server = http.createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    asked.push({ authorization: request.headers.authorization, body: JSON.parse(Buffer.concat(chunks).toString()) });
    response.writeHead(answer.status, { Location: 'http://127.0.0.1/elsewhere' }).end(answer.body);
  });
  const address = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}/token`;
  beforeAll(async () => {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  });
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });
  beforeEach(async () => {
    answer = { status: 200, body: '{"token":"theirs","more":1}' };
    asked.length = 0;
    await provide('url', { url: address(), authorization: 'Bearer ours' });
  });

  it('is what the endpoint answers, which is told who asks for what', async () => {
    await sanction('text_only');
    expect(await token({ userData: { team: 3 } })).toMatchObject({ provider: 'url', token: 'theirs', url: null });
    const permissions = { publish: false, subscribe: true };
    const body = { roomId: 'r1', userId: 'u1', userData: { team: 3 }, permissions };
    expect(asked).toEqual([{ authorization: 'Bearer ours', body }]);
  });

  it.each([
    ['refuses', { status: 403, body: 'no' }, /answered 403/],
    ['sends us elsewhere', { status: 302, body: '' }, /answered 302/],
    ['answers no JSON', { status: 200, body: '<html>' }, /not \{"token"/],
    ['answers no token', { status: 200, body: '{"token":""}' }, /not \{"token"/],
  ])('is none where it %s', async (_, given, message) => {
    answer = given;
    const refused = token();
    await expect(refused).rejects.toMatchObject({ status: 502, code: 'token_provider_failed' });
    await expect(refused).rejects.toThrow(message);
  });

  it('is not fetched from an address that outbound calls may not reach', async () => {
    await provide('url', { url: 'http://169.254.169.254/latest/meta-data' });
    const refused = token();
    await expect(refused).rejects.toMatchObject({ status: 502, code: 'token_provider_failed' });
    await expect(refused).rejects.toThrow(/blocked_address: 169\.254\.169\.254/);
  });
});

describe('sanctions', () => {
  beforeEach(() => provide('embedded'));
  const mayPublish = async (asked: Asked = {}) => decodeJwt((await token(asked)).token).publish;

  it.each(['mute', 'listen_only', 'text_only'] as const)('%s: the token does not let speak', async (type) => {
    const { id } = await sanction(type);
    expect(await mayPublish({ permissions: { publish: true } })).toBe(false);
    await daemon.client.call(sanctionRoutes.revoke, { params: { projectId, id }, body: {} });
    expect(await mayPublish()).toBe(true);
  });

  it.each(['warn', 'shadow_mute'] as const)('%s: an ordinary token', async (type) => {
    await sanction(type);
    expect(await mayPublish()).toBe(true);
  });

  it('of one user are not those of another', async () => {
    await sanction('mute');
    expect(await mayPublish({ userId: 'u2' })).toBe(true);
  });

  it('that ban leave no token until they end, and say when', async () => {
    await sanction('temp_ban', 60);
    const end = new Date(time.getTime() + 60_000);
    const refused = token();
    await expect(refused).rejects.toMatchObject({ status: 403, code: 'participant_banned' });
    await expect(refused).rejects.toThrow(end.toISOString());
    time = end;
    expect(await mayPublish()).toBe(true);
  });

  it('that ban for good say so', async () => {
    await sanction('perm_ban');
    await expect(token()).rejects.toThrow(/for good/);
  });
});

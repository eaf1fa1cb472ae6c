/** WHIP and WHEP as any client may send them: well behaved or not, one offer or thousands. */
import { EarshotClient } from '../../src/client/earshot-client.js';
import { accountRoutes } from '../../src/contract/identity/accounts.js';
import { projectRoutes } from '../../src/contract/projects/projects.js';
import { tokenRoutes } from '../../src/contract/rooms/tokens.js';
import { administrator } from './daemon-process.js';

export type MediaProtocol = 'whip' | 'whep';

const audio = (direction: string): string[] => [
  'm=audio 9 UDP/TLS/RTP/SAVPF 111',
  'c=IN IP4 0.0.0.0',
  'a=mid:0',
  `a=${direction}`,
  'a=rtcp-mux',
  'a=rtpmap:111 opus/48000/2',
  'a=setup:actpass',
  'a=ice-ufrag:abcd',
  'a=ice-pwd:abcdefghijklmnopqrstuvwx',
  `a=fingerprint:sha-256 ${Array.from({ length: 32 }, () => 'AB').join(':')}`,
];

/** An offer that is answered, from somebody who will never connect. */
export const deadOffer = (kind: MediaProtocol): string =>
  [
    'v=0',
    'o=- 1 1 IN IP4 127.0.0.1',
    's=-',
    't=0 0',
    'a=group:BUNDLE 0',
    ...audio(kind === 'whip' ? 'sendonly' : 'recvonly'),
    '',
  ].join('\r\n');

/** Signed in as the first administrator of a daemon, with the id of its first project. */
export async function signIn(url: string): Promise<{ client: EarshotClient; projectId: string }> {
  const anonymous = new EarshotClient({ baseUrl: url });
  const { accessToken: token } = await anonymous.call(accountRoutes.loginCredentials, { body: administrator });
  const client = new EarshotClient({ baseUrl: url, credential: { kind: 'bearer', token } });
  const [project] = await client.call(projectRoutes.list, {});
  if (project === undefined) throw new Error('The daemon has no project.');
  return { client, projectId: project.id };
}

export const roomToken = async (client: EarshotClient, projectId: string, roomId: string, userId: string) =>
  (await client.call(tokenRoutes.generateForProject, { params: { projectId }, body: { roomId, userId } })).token;

export const postOffer = (
  url: string,
  kind: MediaProtocol,
  roomId: string,
  token: string,
  offerSdp: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<Response> =>
  fetch(`${url}/rooms/${roomId}/${kind}`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/sdp', ...headers },
    body: offerSdp,
  });

/** Posts offers for a peer of `room-peers.ts`. Throws status and code of a refusal. */
export const answering =
  (url: string, kind: MediaProtocol, roomId: string, token: string) =>
  async (offerSdp: string): Promise<string> => {
    const response = await postOffer(url, kind, roomId, token, offerSdp);
    const text = await response.text();
    if (response.status !== 201) throw new Error(`${response.status} ${text}`);
    return text;
  };

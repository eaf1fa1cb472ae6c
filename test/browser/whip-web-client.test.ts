/**
 * The exchange of @eyevinn/whip-web-client 1.1.7 with its defaults, from a page of another origin: OPTIONS with the token
 * to learn about trickle ICE, audio and video in the offer, DELETE before the connection is closed.
 */
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chromiumPath, Visitor } from '../support/browser.js';
import { startDaemon, type TestDaemon } from '../support/daemon.js';
import { roomToken } from '../support/room-client.js';

/** Runs in the page. */
const program = `async ({ endpoint, token }) => {
  const headers = { Authorization: 'Bearer ' + token };
  const microphone = await navigator.mediaDevices.getUserMedia({ audio: true, video: true });
  const peer = new RTCPeerConnection();
  for (const track of microphone.getTracks()) peer.addTrack(track, microphone);
  const configuration = await fetch(endpoint, { method: 'OPTIONS', headers });
  const trickles = (configuration.headers.get('access-control-allow-methods') ?? '').includes('PATCH');
  await peer.setLocalDescription(await peer.createOffer({ offerToReceiveAudio: false, offerToReceiveVideo: false }));
  await new Promise((resolve) => setTimeout(resolve, 2000));
  const body = peer.localDescription.sdp;
  const type = { 'Content-Type': 'application/sdp' };
  const answer = await fetch(endpoint, { method: 'POST', headers: { ...headers, ...type }, body });
  const resource = new URL(answer.headers.get('Location'), endpoint);
  await peer.setRemoteDescription({ type: 'answer', sdp: await answer.text() });
  for (let tries = 0; tries < 300 && peer.connectionState !== 'connected'; tries += 1)
    await new Promise((resolve) => setTimeout(resolve, 100));
  const state = peer.connectionState;
  const deleted = [];
  for (let times = 0; times < 2; times += 1) deleted.push((await fetch(resource, { method: 'DELETE', headers })).status);
  peer.close();
  return { statuses: [configuration.status, answer.status, ...deleted], trickles, state };
}`;

describe.skipIf(chromiumPath === null)('the web client of Eyevinn', { timeout: 120_000 }, () => {
  let daemon: TestDaemon;
  let browser: Visitor;
  let server: Server;
  beforeAll(async () => {
    server = createServer((_, response) => response.setHeader('Content-Type', 'text/html').end('<!doctype html>'));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    daemon = await startDaemon({ settings: { EARSHOT_CORS_ORIGINS: origin } });
    browser = await Visitor.come(null);
    await browser.page.context().grantPermissions(['microphone', 'camera'], { origin });
    await browser.page.goto(origin);
  }, 120_000);
  afterAll(async () => {
    await browser?.go();
    server?.close();
    await daemon?.stop();
  });

  it('speaks from a page of another origin, and leaves', async () => {
    const token = await roomToken(daemon.client, daemon.projectId, 'arena', 'ann');
    const endpoint = `${daemon.url}/rooms/arena/whip`;
    const seen = await browser.page.evaluate(`(${program})(${JSON.stringify({ endpoint, token })})`);
    expect(seen).toEqual({ statuses: [204, 201, 200, 200], trickles: false, state: 'connected' });
  });
});

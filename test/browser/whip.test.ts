/** Chromium offers more than a room takes: the audio comes through, the rest is turned down without a word. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chromiumPath, Visitor } from '../support/browser.js';
import { startDaemon, type TestDaemon } from '../support/daemon.js';
import { roomToken } from '../support/room-client.js';

/** Runs in the page: speaks and listens with lines of these kinds until sound has come through. */
const program = `async ({ bundlePolicy, kinds, speaking, listening }) => {
  const join = async (kind, token, track) => {
    const peer = new RTCPeerConnection({ bundlePolicy });
    for (const one of kinds) {
      if (one === 'data') peer.createDataChannel('chat');
      else {
        const direction = kind === 'whip' ? 'sendonly' : 'recvonly';
        peer.addTransceiver(one === 'audio' && track !== null ? track : one, { direction });
      }
    }
    await peer.setLocalDescription();
    const headers = { Authorization: 'Bearer ' + token, 'Content-Type': 'application/sdp' };
    const { sdp: body } = peer.localDescription;
    const answer = await fetch('/rooms/arena/' + kind, { method: 'POST', headers, body });
    await peer.setRemoteDescription({ type: 'answer', sdp: await answer.text() });
    return peer;
  };
  const microphone = await navigator.mediaDevices.getUserMedia({ audio: true });
  const speaker = await join('whip', speaking, microphone.getAudioTracks()[0]);
  const listener = await join('whep', listening, null);
  let received = 0;
  for (let tries = 0; tries < 300 && received < 25; tries += 1) {
    await new Promise((resolve) => setTimeout(resolve, 100));
    for (const report of (await listener.getStats()).values())
      if (report.type === 'inbound-rtp' && report.kind === 'audio') received = report.packetsReceived;
  }
  const states = [speaker.connectionState, listener.connectionState];
  const lines = listener.getTransceivers().map((one) => one.receiver.track.kind + ' ' + one.currentDirection);
  speaker.close();
  listener.close();
  return { received, states, lines };
}`;

interface Seen {
  readonly received: number;
  readonly states: readonly string[];
  /** States of the listener's lines; a line that was refused is none any more. */
  readonly lines: readonly string[];
}

describe.skipIf(chromiumPath === null)('a browser that offers video and data', { timeout: 180_000 }, () => {
  let daemon: TestDaemon;
  let browser: Visitor;
  beforeAll(async () => {
    daemon = await startDaemon();
    browser = await Visitor.come(null);
    await browser.page.goto(`${daemon.url}/rooms/arena`);
  }, 120_000);
  afterAll(async () => {
    await browser?.go();
    await daemon?.stop();
  });

  it.each([
    ['audio first', 'balanced', ['audio', 'video', 'data']],
    ['video first', 'balanced', ['video', 'data', 'audio']],
    ['all bundled, audio first', 'max-bundle', ['audio', 'video', 'data']],
  ])('is heard and hears: %s', async (name, bundlePolicy, kinds) => {
    const tokenOf = (person: string) => roomToken(daemon.client, daemon.projectId, 'arena', `${person}, ${name}`);
    const tokens = { speaking: await tokenOf('speaker'), listening: await tokenOf('listener') };
    const call = `(${program})(${JSON.stringify({ bundlePolicy, kinds, ...tokens })})`;
    const { received, states, lines } = await browser.page.evaluate<Seen>(call);
    expect(states).toEqual(['connected', 'connected']);
    expect(received).toBeGreaterThanOrEqual(25);
    expect(lines).toEqual(['audio recvonly']);
  });
});

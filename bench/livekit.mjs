// LiveKit's server as a side of the rooms bench, if `bench/install-livekit.sh` has built it. Its WHIP takes one offer for speaking and for
// hearing speakers who are named ahead, so that the clients of the bench need no other protocol.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { AccessToken } from 'livekit-server-sdk';
import { freePort, freeUdpPort } from './free-ports.mjs';

const program = fileURLToPath(new URL('.installed/livekit-server', import.meta.url));
const [key, secret] = ['bench', 'a secret for as long as the bench runs'];
const triesMax = 100;
/** The name of every track that came by WHIP. */
const track = 'synthesized-microphone';

/** Resolves to null where the server is not installed. */
export async function liveKitSide() {
  if (!existsSync(program)) {
    console.log('WITHOUT LIVEKIT: build it with bench/install-livekit.sh, which needs Go.');
    return null;
  }
  const port = await freePort();
  const config = {
    ...{ port, bind_addresses: ['127.0.0.1'], keys: { [key]: secret } },
    rtc: {
      ...{ tcp_port: await freePort(), udp_port: await freeUdpPort(), use_external_ip: false, node_ip: '127.0.0.1' },
      ...{ enable_loopback_candidate: true, interfaces: { includes: ['lo'] } },
    },
  };
  // It logs as an error of each listener that it does not speak on its lines.
  const server = spawn(program, ['--config-body', JSON.stringify(config)], { stdio: 'ignore' });
  // At any other signal it waits for everybody to leave.
  const stop = () => server.kill('SIGKILL');
  process.once('exit', stop);
  const url = `http://127.0.0.1:${port}`;
  const isUp = () =>
    fetch(url).then(
      ({ ok }) => ok,
      () => false,
    );
  for (let tries = 0; !(await isUp()); tries += 1) {
    if (tries > triesMax) throw new Error('LiveKit did not start.');
    await sleep(100);
  }
  return {
    what: 'LiveKit',
    async access(room, identity, speakers) {
      const token = new AccessToken(key, secret, { identity });
      // A speaker has no lines to hear others on, and LiveKit would wait for these.
      const listens = speakers.length > 0;
      token.addGrant({ roomJoin: true, room, canPublish: !listens, canSubscribe: listens });
      const hears = Object.fromEntries(speakers.map((speaker) => [speaker, [track]]));
      return { url, token: await token.toJwt(), liveKit: { hears } };
    },
    pid: () => server.pid,
    stop,
  };
}

/** Resolves to the answer to the offer. */
export async function askLiveKit({ url, token, liveKit }, offer) {
  const answer = await fetch(`${url}/whip/v1`, {
    ...{ method: 'POST', body: offer },
    headers: {
      ...{ authorization: `Bearer ${token}`, 'content-type': 'application/sdp' },
      'x-livekit-clientinfo': JSON.stringify({ subscribedParticipantTrackNames: liveKit.hears }),
    },
  });
  if (!answer.ok) throw new Error(`LiveKit answered ${answer.status}: ${await answer.text()}`);
  return answer.text();
}

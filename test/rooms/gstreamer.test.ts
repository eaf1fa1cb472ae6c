/** GStreamer in a room, as OBS and native games use it: its ICE is libnice, which pairs no loopback address. */
import { execFile, spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startDaemon, type TestDaemon } from '../support/daemon.js';
import { roomToken } from '../support/room-client.js';

const python = '/usr/bin/python3'; // the one that Debian's modules belong to
const wanted = `
import gi
gi.require_version('GstWebRTC', '1.0')
from gi.repository import Gst, GstWebRTC
Gst.init(None)
exit(0 if all(Gst.ElementFactory.find(name) for name in ('webrtcbin', 'nicesrc', 'opusenc', 'rtpopuspay')) else 1)`;
const isThere = spawnSync(python, ['-c', wanted], { stdio: 'ignore' }).status === 0;
if (!isThere)
  process.stderr.write(
    'Suites with GStreamer are skipped: its WebRTC parts are missing. On Debian: apt-get install -y gstreamer1.0-nice gstreamer1.0-plugins-base gstreamer1.0-plugins-good gstreamer1.0-plugins-bad gir1.2-gst-plugins-bad-1.0 python3-gst-1.0\n',
  );

const peer = fileURLToPath(new URL('../support/gstreamer-peer.py', import.meta.url));

describe.skipIf(!isThere)('GStreamer', { timeout: 120_000 }, () => {
  let daemon: TestDaemon;
  beforeAll(async () => {
    daemon = await startDaemon();
  });
  afterAll(() => daemon?.stop());

  it('speaks and hears on default settings', async () => {
    const tokenOf = (person: string) => roomToken(daemon.client, daemon.projectId, 'arena', person);
    const args = [peer, `${daemon.url}/rooms/arena`, await tokenOf('mouth'), await tokenOf('ears')];
    const { stdout } = await promisify(execFile)(python, args, { timeout: 60_000 });
    expect(stdout).toBe('heard\n');
  });
});

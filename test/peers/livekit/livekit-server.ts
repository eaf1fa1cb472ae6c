/** LiveKit's server on this machine, as `install.sh` has built it. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { eventually } from '../../support/eventually.js';
import { freePort } from '../../support/free-port.js';

const program = fileURLToPath(new URL('../../../bench/.installed/livekit-server', import.meta.url));
const [apiKey, secret] = ['suite', 'a secret for as long as the suite runs'];

export class LiveKitProcess {
  private child: ChildProcess | null = null;

  private constructor(private readonly port: number) {}

  static async start(): Promise<LiveKitProcess> {
    const server = new LiveKitProcess(await freePort());
    const config = {
      ...{ port: server.port, bind_addresses: ['127.0.0.1'], keys: { [apiKey]: secret } },
      rtc: {
        ...{ tcp_port: await freePort(), port_range_start: 52_000, port_range_end: 52_999, use_external_ip: false },
        ...{ node_ip: '127.0.0.1', enable_loopback_candidate: true, interfaces: { includes: ['lo'] } },
      },
    };
    server.child = spawn(program, ['--config-body', JSON.stringify(config)], { stdio: 'ignore' });
    await eventually(async () => {
      if (!(await fetch(server.url)).ok) throw new Error('LiveKit does not answer yet.');
    }, 30_000);
    return server;
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  /** Settings of a daemon whose rooms this server carries. */
  get settings(): Record<string, string> {
    return {
      ...{ EARSHOT_ROOMS: 'livekit', EARSHOT_LIVEKIT_URL: this.url },
      ...{ EARSHOT_LIVEKIT_API_KEY: apiKey, EARSHOT_LIVEKIT_API_SECRET: secret },
    };
  }

  async stop(): Promise<void> {
    if (this.child === null) return;
    const ended = once(this.child, 'exit');
    this.child.kill('SIGKILL'); // at any other signal it waits for everybody to leave
    await ended;
  }
}

/**
 * Debian's Firefox, headless, with a tone for a microphone. Driven by WebDriver BiDi (https://w3c.github.io/webdriver-bidi),
 * of which it knows less than playwright asks for. Suites that need it skip visibly where it is missing.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { WebSocket } from 'ws';

const candidates = ['/usr/bin/firefox-esr', '/usr/bin/firefox'];
const startMs = 60_000;

/** Null where there is none. */
export const firefoxPath: string | null = candidates.find((path) => existsSync(path)) ?? null;
if (firefoxPath === null)
  process.stderr.write('Suites with Firefox are skipped: there is none. On Debian: apt-get install -y firefox-esr\n');

/** A microphone without hardware and without questions; sound without a click. */
const preferences = {
  'media.navigator.streams.fake': true,
  'media.navigator.permission.disabled': true,
  'media.autoplay.default': 0,
  'browser.shell.checkDefaultBrowser': false,
  'datareporting.policy.dataSubmissionEnabled': false,
};

/** Keeps the connections of a page, whose sound cannot be measured by an AudioContext: that needs a sound card here. */
const keepPeers = `() => {
  window.peers = [];
  const Peer = window.RTCPeerConnection;
  window.RTCPeerConnection = class extends Peer {
    constructor(...args) {
      super(...args);
      window.peers.push(this);
    }
  };
}`;
const energyHeard = `(async () => {
  const reports = await Promise.all(window.peers.map((peer) => peer.getStats()));
  return reports.flatMap((report) => [...report.values()]).reduce((sum, { type, totalAudioEnergy }) => sum + (type === 'inbound-rtp' ? totalAudioEnergy ?? 0 : 0), 0);
})()`;

interface Message {
  readonly id?: number;
  readonly type: 'success' | 'error' | 'event';
  readonly method?: string;
  readonly message?: string;
  readonly params?: { readonly text?: string; readonly response?: { readonly url: string; readonly status: number } };
  readonly result?: Readonly<Record<string, unknown>>;
}

export class Firefox {
  /** Answers of at least 400, by status and address. */
  readonly failures: string[] = [];
  private readonly pending = new Map<number, (message: Message) => void>();
  private context: unknown;
  private lastId = 0;

  private constructor(
    private readonly child: ChildProcess,
    private readonly profile: string,
    private readonly socket: WebSocket,
  ) {
    socket.on('error', () => {}); // followed by `close`, which ends what waits
    socket.on('message', (data) => this.receive(JSON.parse(String(data)) as Message));
    socket.on('close', () => {
      for (const settle of this.pending.values()) settle({ type: 'error', message: 'Firefox is gone' });
    });
  }

  static async open(): Promise<Firefox> {
    const profile = mkdtempSync(join(tmpdir(), 'earshot-firefox-'));
    const lines = Object.entries(preferences).map(([name, value]) => `user_pref("${name}", ${JSON.stringify(value)});`);
    writeFileSync(join(profile, 'user.js'), lines.join('\n'));
    const child = spawn(firefoxPath ?? '', ['--headless', '--remote-debugging-port=0', '--profile', profile], {
      stdio: ['ignore', 'ignore', 'pipe'],
      env: { PATH: process.env.PATH, HOME: profile, MOZ_CRASHREPORTER_DISABLE: '1' },
    });
    const socket = new WebSocket(`${await addressOf(child)}/session`);
    const firefox = new Firefox(child, profile, socket);
    await once(socket, 'open');
    await firefox.command('session.new', { capabilities: {} });
    await firefox.command('session.subscribe', { events: ['network.responseCompleted'] });
    await firefox.command('script.addPreloadScript', { functionDeclaration: keepPeers });
    const { contexts } = await firefox.command('browsingContext.getTree', {});
    [{ context: firefox.context }] = contexts as [{ context: unknown }];
    return firefox;
  }

  goto = (url: string): Promise<unknown> =>
    this.command('browsingContext.navigate', { context: this.context, url, wait: 'complete' });

  /** Clicks as a person would, as far as the page can tell. */
  click = (selector: string): Promise<unknown> =>
    this.evaluate(`document.querySelector(${JSON.stringify(selector)}).click()`);

  text = async (selector: string): Promise<string> =>
    String(await this.evaluate(`document.querySelector(${JSON.stringify(selector)})?.innerText ?? ''`));

  count = async (selector: string): Promise<number> =>
    Number(await this.evaluate(`document.querySelectorAll(${JSON.stringify(selector)}).length`));

  /** The energy of the sound that the page has received and decoded: 0 in silence. */
  energyHeard = async (): Promise<number> => Number(await this.evaluate(energyHeard));

  async close(): Promise<void> {
    const exited = this.child.exitCode === null ? once(this.child, 'exit') : null;
    this.child.kill('SIGKILL');
    await exited;
    rmSync(this.profile, { recursive: true, force: true, maxRetries: 5 });
  }

  private async evaluate(expression: string): Promise<unknown> {
    const target = { context: this.context };
    const { result } = await this.command('script.evaluate', {
      ...{ expression, target, awaitPromise: true, userActivation: true },
    });
    return (result as { value?: unknown } | undefined)?.value;
  }

  private async command(method: string, params: object): Promise<Readonly<Record<string, unknown>>> {
    const id = ++this.lastId;
    const answered = new Promise<Message>((resolve) => this.pending.set(id, resolve));
    this.socket.send(JSON.stringify({ id, method, params }));
    const { type, message, result = {} } = await answered;
    if (type !== 'success') throw new Error(`${method}: ${message}`);
    return result;
  }

  private receive(message: Message): void {
    const { id, params } = message;
    const answer = params?.response;
    if (answer !== undefined && answer.status >= 400) this.failures.push(`${answer.status} ${answer.url}`);
    if (id === undefined) return;
    this.pending.get(id)?.(message);
    this.pending.delete(id);
  }
}

/** Resolves with the address that Firefox prints when it can be driven. Throws when it ends before, or takes too long. */
async function addressOf(child: ChildProcess): Promise<string> {
  const late = setTimeout(() => child.kill('SIGKILL'), startMs);
  try {
    if (child.stderr === null) throw new Error('Firefox has no output');
    for await (const line of createInterface({ input: child.stderr })) {
      const address = /WebDriver BiDi listening on (ws:\S+)/.exec(line)?.[1];
      if (address === undefined) continue;
      child.stderr.resume(); // a full pipe would hold it up
      return address;
    }
    throw new Error('Firefox did not start');
  } finally {
    clearTimeout(late);
  }
}

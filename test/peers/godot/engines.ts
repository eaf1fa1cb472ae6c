/**
 * The two engines that run the kit: Debian's Godot 3 as a headless process, and Godot 4, as it is exported for browsers, in a
 * headless Chromium. A script in the engine (`project/peer.gd`) gets its commands from the server here.
 */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { type BrowserContext, chromium } from 'playwright-core';
import { chromiumPath } from '../../support/browser.js';
import { eventually } from '../../support/eventually.js';

const here = fileURLToPath(new URL('.', import.meta.url));
const kit = fileURLToPath(new URL('../../../kits/godot/', import.meta.url));
export const hasGodot3 = spawnSync('godot3-server', ['--version']).error === undefined;
export const hasGodot4 = chromiumPath !== null;

interface CallError {
  readonly code: string;
  readonly message: string;
  readonly status: number;
  readonly details: readonly { path: string; message: string }[];
  readonly requestId: string;
  readonly retryAfterSeconds: number;
  readonly isPassing: boolean;
  readonly mayBeDone: boolean;
}
type CallResult = { readonly ok: boolean; readonly data: unknown; readonly error: CallError | null };
/** An emitted signal: `player.events_sent`, or the id of a stream and its signal. */
interface Emitted {
  readonly signal: string;
  readonly values: readonly unknown[];
}

export interface Engine {
  readonly name: string;
  /** The project and the data of the game. */
  readonly folder: string;
  readonly signals: Emitted[];
  /** Output of the engine. */
  readonly printed: string[];
  /** Origin of the pages, for EARSHOT_CORS_ORIGINS. */
  readonly origin: string;
  /** Starts the engine; a second start finds the files of the first. */
  start(): Promise<void>;
  /** Ends the engine without a word. */
  kill(): Promise<void>;
  dispose(): Promise<void>;
  /** Calls a method that returns a call; resolves when the call is completed. */
  call(on: string, name: string, ...args: unknown[]): Promise<CallResult>;
  /** Calls a method that returns at once. */
  run(on: string, name: string, ...args: unknown[]): Promise<unknown>;
  /** Begins a call and returns its id, by which `run` finds it. */
  begin(on: string, name: string, ...args: unknown[]): { id: string; result: Promise<CallResult> };
  /** Opens a stream and returns its id. */
  stream(on: string, name: string, ...args: unknown[]): Promise<string>;
  /** Resolves to the values of the signal once it has been emitted so often. */
  emitted(signal: string, count?: number): Promise<readonly unknown[]>;
}

const mimeTypes: Readonly<Record<string, string>> = {
  '.js': 'text/javascript',
  '.wasm': 'application/wasm',
  '.zip': 'application/zip',
};

/** Script that runs as the main scene instead of the peer. */
export interface Sample {
  /** Path in the kit, without `godot3/`. */
  readonly script: string;
  /** Texts of the script that the user of the kit replaces. */
  readonly replace: Readonly<Record<string, string>>;
}

/** Writes the project with the kit, as the README says. */
function putProject(folder: string, version: 3 | 4, sample: Sample | null): void {
  cpSync(join(here, 'project'), folder, { recursive: true });
  cpSync(join(here, `project${version}`), folder, { recursive: true });
  cpSync(join(kit, 'addons'), join(folder, 'addons'), { recursive: true });
  if (version === 3) cpSync(join(kit, 'godot3/addons'), join(folder, 'addons'), { recursive: true });
  if (sample === null) return;
  const script = readFileSync(join(kit, version === 3 ? 'godot3' : '', sample.script), 'utf8');
  const replaced = Object.entries(sample.replace).reduce((text, [from, to]) => text.replaceAll(from, to), script);
  writeFileSync(join(folder, 'peer.gd'), replaced);
}

abstract class Peer implements Engine {
  abstract readonly name: string;
  readonly folder: string;
  readonly signals: Emitted[] = [];
  readonly printed: string[] = [];
  private readonly commands: unknown[] = [];
  private readonly waiting = new Map<string, (result: unknown) => void>();
  private asking: ServerResponse | null = null;
  private count = 0;

  constructor(
    protected readonly sample: Sample | null,
    private readonly shared?: string,
  ) {
    this.folder = shared ?? mkdtempSync(join(tmpdir(), 'earshot-godot-'));
  }

  private readonly server = createServer(async (request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://localhost');
    if (pathname === '/next') {
      this.asking = response;
      response.once('close', () => {
        if (this.asking === response) this.asking = null;
      });
      this.hand();
    } else if (pathname === '/reports') {
      for (const report of JSON.parse(await text(request))) this.take(report);
      response.end();
    } else this.serve(pathname, response);
  });

  abstract start(): Promise<void>;
  abstract kill(): Promise<void>;

  async listen(): Promise<void> {
    this.server.listen(0, '127.0.0.1');
    await once(this.server, 'listening');
  }

  get origin(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  async dispose(): Promise<void> {
    await this.kill();
    this.server.closeAllConnections();
    this.server.close();
    if (this.shared === undefined) rmSync(this.folder, { recursive: true, force: true });
  }

  begin(on: string, name: string, ...args: unknown[]): { id: string; result: Promise<CallResult> } {
    const { id, result } = this.send({ do: 'call', on, name, args });
    return { id, result: result as Promise<CallResult> };
  }

  call(on: string, name: string, ...args: unknown[]): Promise<CallResult> {
    return this.begin(on, name, ...args).result;
  }

  run(on: string, name: string, ...args: unknown[]): Promise<unknown> {
    return this.send({ do: 'run', on, name, args }).result;
  }

  async stream(on: string, name: string, ...args: unknown[]): Promise<string> {
    const { id, result } = this.send({ do: 'stream', on, name, args });
    await result;
    return id;
  }

  async emitted(signal: string, count = 1): Promise<readonly unknown[]> {
    const found = await eventually(() => {
      const one = this.signals.filter((emitted) => emitted.signal === signal)[count - 1];
      if (one === undefined) throw new Error(`${this.name} has not emitted ${signal}: ${this.printed.join('\n')}`);
      return one;
    });
    return found.values;
  }

  protected serve(_path: string, response: ServerResponse): void {
    response.writeHead(404).end();
  }

  private send(command: object): { id: string; result: Promise<unknown> } {
    this.count += 1;
    const id = `c${this.count}`;
    const result = new Promise<unknown>((resolve, reject) => {
      const timer = setTimeout(
        () => reject(new Error(`${this.name} does not answer ${JSON.stringify(command)}: ${this.printed.join('\n')}`)),
        50_000,
      );
      this.waiting.set(id, (value) => {
        clearTimeout(timer);
        resolve(value);
      });
    });
    this.commands.push({ id, ...command });
    this.hand();
    return { id, result };
  }

  private hand(): void {
    if (this.asking === null || this.commands.length === 0) return;
    this.asking.setHeader('Content-Type', 'application/json').end(JSON.stringify(this.commands.splice(0)));
    this.asking = null;
  }

  private take(report: { id?: string; result?: unknown } & Partial<Emitted>): void {
    if (report.signal !== undefined) this.signals.push({ signal: report.signal, values: report.values ?? [] });
    else this.waiting.get(report.id ?? '')?.(report.result);
  }
}

class Godot3 extends Peer {
  readonly name = 'Godot 3';
  private child: ChildProcess | null = null;

  async start(): Promise<void> {
    const project = join(this.folder, 'project');
    if (!existsSync(project)) putProject(project, 3, this.sample);
    const data = join(this.folder, 'data');
    mkdirSync(data, { recursive: true });
    const child = spawn('godot3-server', ['--path', project, this.origin], {
      env: { PATH: process.env.PATH, HOME: data, XDG_DATA_HOME: data, XDG_CONFIG_HOME: data, XDG_CACHE_HOME: data },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    for (const output of [child.stdout, child.stderr])
      output.on('data', (chunk: Buffer) => this.printed.push(chunk.toString()));
    await once(child, 'spawn');
    this.child = child;
  }

  async kill(): Promise<void> {
    const child = this.child;
    if (child === null || child.exitCode !== null || child.signalCode !== null) return;
    child.kill('SIGKILL');
    await once(child, 'exit');
  }
}

const page = `<!doctype html><title>Godot</title><canvas id="canvas"></canvas><script src="/index.js"></script><script>
new Engine({ executable: '/index', mainPack: '/project.zip', args: ['--headless'], canvas: document.getElementById('canvas'),
  canvasResizePolicy: 0, onPrint: console.log, onPrintError: console.error }).startGame();
</script>`;

class Godot4 extends Peer {
  readonly name = 'Godot 4';
  private context: BrowserContext | null = null;
  private pack = Buffer.alloc(0);

  async start(): Promise<void> {
    const project = join(this.folder, 'project');
    putProject(project, 4, this.sample);
    writeFileSync(join(project, 'address.txt'), this.origin);
    const pack = join(this.folder, 'project.zip');
    rmSync(pack, { force: true });
    const { status, stderr } = spawnSync('python3', ['-m', 'zipfile', '-c', pack, '.'], { cwd: project });
    if (status !== 0) throw new Error(`The project was not packed: ${stderr}`);
    this.pack = readFileSync(pack);
    this.context ??= await chromium.launchPersistentContext(join(this.folder, 'browser'), {
      executablePath: chromiumPath ?? '',
      args: ['--no-sandbox', '--disable-gpu'],
    });
    const tab = await this.context.newPage();
    tab.on('console', (line) => this.printed.push(line.text()));
    tab.on('pageerror', ({ message }) => this.printed.push(message));
    await tab.goto(`${this.origin}/`);
  }

  async kill(): Promise<void> {
    for (const tab of this.context?.pages() ?? []) await tab.close();
  }

  override async dispose(): Promise<void> {
    await this.context?.close();
    await super.dispose();
  }

  protected override serve(path: string, response: ServerResponse): void {
    const file = path === '/' ? page : path === '/project.zip' ? this.pack : engineFile(path);
    if (file === null) super.serve(path, response);
    else response.setHeader('Content-Type', mimeTypes[extname(path)] ?? 'text/html').end(file);
  }
}

/** Returns null where the engine has no such file. */
const engineFile = (path: string): Buffer | null =>
  /^\/index[a-z.]*\.(js|wasm)$/.test(path) ? readFileSync(join(here, '.installed/web', path)) : null;

/** @param original the engine shares its files, as a second copy of the same game does */
export async function openEngine(
  version: 3 | 4,
  sample: Sample | null = null,
  original: Engine | null = null,
): Promise<Engine> {
  const engine = version === 3 ? new Godot3(sample, original?.folder) : new Godot4(sample);
  await engine.listen();
  return engine;
}

/** A daemon as its user has it: a process of its own, on free ports and a data folder, that can be killed and started again. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { type DaemonDatabase, makeDatabase } from './database.js';
import { programEnvironment } from './program-environment.js';

const own = fileURLToPath(new URL('../../bin/earshotd.js', import.meta.url));
export const administrator = { email: 'admin@localhost', password: 'a long enough password' };

const listening = z.object({
  msg: z.literal('listening'),
  http: z.string(),
  mqtt: z.string(),
  media: z.int().min(0).max(65_535),
});
export type Addresses = z.infer<typeof listening>;

/** Begins a command line; without the permission, `nice` says so and runs the rest all the same. */
export const goFirst = ['nice', '-n', '-20'] as const;

interface DaemonProcessOptions {
  /** Files and connections that the process may have open; null: as many as the suite. */
  readonly openFilesMax?: number | null;
  /** Memory that the process, and each child of it, may write to, in MiB; null: as much as there is. */
  readonly memoryMaxMib?: number | null;
  /** True if the process goes before others where the system lets it, as on a machine of its own. */
  readonly goesFirst?: boolean;
  /** Path of the program `earshotd`. */
  readonly program?: string;
  /** True if the first start finds an empty folder, as that of an installation does. */
  readonly makesTables?: boolean;
}

export class DaemonProcess {
  readonly dataDir: string;
  /** Output of the current process, both channels, line by line. */
  readonly printed: string[] = [];
  private readonly limits: string;
  private readonly first: readonly string[];
  private readonly nodeOptions: readonly string[];
  private readonly program: string;
  private readonly makesTables: boolean;
  private database: DaemonDatabase | null = null;
  private child: ChildProcess | null = null;
  private addresses: Addresses | null = null;

  constructor(
    private readonly settings: Readonly<Record<string, string>> = {},
    {
      openFilesMax = null,
      memoryMaxMib = null,
      goesFirst = false,
      program = own,
      makesTables = false,
    }: DaemonProcessOptions = {},
  ) {
    this.limits = [
      ...(openFilesMax === null ? [] : [`ulimit -n ${openFilesMax}; `]),
      ...(memoryMaxMib === null ? [] : [`ulimit -d ${memoryMaxMib * 1_024}; `]),
    ].join('');
    this.first = goesFirst ? goFirst : [];
    // V8 chooses half of the machine's memory, and knows nothing of the limit.
    this.nodeOptions = memoryMaxMib === null ? [] : [`--max-old-space-size=${memoryMaxMib / 2}`];
    this.program = program;
    this.makesTables = makesTables;
    this.dataDir = settings.EARSHOT_DATA_DIR ?? mkdtempSync(join(tmpdir(), 'earshot-daemon-'));
  }

  /** Starts the process; resolves once it listens. The ports of the first start are kept by the next ones. */
  async start(): Promise<Addresses> {
    this.printed.length = 0;
    // A start that makes the tables takes half as long again; `test/earshotd/first-start.test.ts` has those.
    if (!this.makesTables) this.database ??= await makeDatabase(this.dataDir, this.settings);
    const run = [...this.first, process.execPath, ...this.nodeOptions, this.program, 'run'];
    const started = spawn('sh', ['-c', `${this.limits}exec "$@"`, 'sh', ...run], {
      env: {
        ...programEnvironment,
        EARSHOT_PORT: this.addresses === null ? '0' : new URL(this.addresses.http).port,
        EARSHOT_MQTT_PORT: '0',
        EARSHOT_MEDIA_PORT: '0',
        EARSHOT_TRANSCRIBER: 'off',
        EARSHOT_ADMIN_PASSWORD: administrator.password,
        ...this.settings,
        ...this.database?.settings,
        EARSHOT_DATA_DIR: this.dataDir,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.child = started;
    createInterface({ input: started.stderr }).on('line', (line) => this.printed.push(line));
    const lines = createInterface({ input: started.stdout });
    this.addresses = await new Promise<Addresses>((resolve, reject) => {
      started.once('exit', () => reject(new Error(`The daemon did not start: ${this.printed.join('\n')}`)));
      lines.on('line', (line) => {
        this.printed.push(line);
        const entry = line.startsWith('{') ? listening.safeParse(JSON.parse(line)) : null;
        if (entry?.success) resolve(entry.data);
      });
    });
    return this.addresses;
  }

  get url(): string {
    if (this.addresses === null) throw new Error('The daemon was not started.');
    return this.addresses.http;
  }

  /** Address of the database, in the form of `DATABASE_URL`. */
  get databaseUrl(): string {
    return this.database?.url ?? `file:${join(this.dataDir, 'earshot.db')}`;
  }

  get pid(): number | undefined {
    return this.child?.pid;
  }

  /** True while the process has not ended. */
  get running(): boolean {
    return this.child !== null && this.child.exitCode === null && this.child.signalCode === null;
  }

  /** Ends the process by the signal; resolves to its exit code (null when the signal ended it) once it is gone. */
  async end(signal: 'SIGTERM' | 'SIGKILL'): Promise<number | null> {
    const child = this.child;
    if (child === null || child.exitCode !== null || child.signalCode !== null) return child?.exitCode ?? null;
    const exited = once(child, 'exit');
    child.kill(signal);
    await exited;
    return child.exitCode;
  }

  /** Kills what still runs and removes the data folder. */
  async dispose(): Promise<void> {
    await this.end('SIGKILL');
    await this.database?.remove();
    rmSync(this.dataDir, { recursive: true, force: true, maxRetries: 5 });
  }
}

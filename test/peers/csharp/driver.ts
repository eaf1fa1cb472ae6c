/** The kit for C#, compiled by Mono, and the program that does with it what a test asks, on Mono and on .NET. */
import { type ChildProcessWithoutNullStreams, execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';

export const hasMono = ['mono', 'mcs'].every((program) => spawnSync(program, ['--version']).status === 0);

/** Runs what Mono's compiler has made. */
export interface Runtime {
  readonly name: string;
  readonly command: readonly [string, ...string[]];
}
const dotnet = fileURLToPath(new URL('.installed/dotnet/', import.meta.url));
export const mono: Runtime = { name: 'Mono', command: ['mono', '--debug'] };
export const runtimes: readonly Runtime[] = [
  mono,
  { name: '.NET 8', command: [`${dotnet}dotnet`, 'exec', '--runtimeconfig', `${dotnet}runtimeconfig.json`] },
];

/** Folder of the kit. */
export const kit = fileURLToPath(new URL('../../../kits/csharp/', import.meta.url));
/** The newest C# that Debian's compiler knows; Unity since 2021 knows 9. Every warning fails. */
const options = ['-langversion:7.2', '-warnaserror', '-r:System.Net.Http.dll'];

/** Returns the files of C# in a folder and those below. */
export const sourcesIn = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.cs'))
    .map((name) => join(folder, name));

/** Compiled programs, with the kit beside them. */
export class Compiled {
  readonly folder = mkdtempSync(join(tmpdir(), 'earshot-csharp-'));
  /** Files of the kit. */
  readonly sources = sourcesIn(`${kit}Runtime`);

  constructor() {
    this.compile('Earshot.dll', this.sources, ['-target:library']);
  }

  /** Throws with what the compiler says. Returns the path of the program or library. */
  compile(name: string, sources: readonly string[], more: readonly string[] = []): string {
    const out = join(this.folder, name);
    const references = name === 'Earshot.dll' ? [] : [`-lib:${this.folder}`, '-r:Earshot.dll'];
    execFileSync('mcs', [...options, ...references, ...more, `-out:${out}`, ...sources], { stdio: 'pipe' });
    return out;
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}

const Line = z.looseObject({ id: z.number().optional(), notice: z.string().optional() });

/** What the kit has thrown. */
export class KitError extends Error {
  constructor(
    readonly type: string,
    readonly code: string | null,
    readonly fields: unknown,
  ) {
    super(`${type} ${code ?? ''}: ${JSON.stringify(fields)}`);
  }
}
const Thrown = z.object({ type: z.string(), code: z.string().nullable(), error: z.unknown() });

export class Driver {
  /** What the program has printed by itself, oldest first. */
  readonly notices: { name: string; value: unknown }[] = [];
  private readonly child: ChildProcessWithoutNullStreams;
  private readonly waiting = new Map<number, { resolve: (value: unknown) => void; reject: (error: Error) => void }>();
  private asked = 0;

  constructor(program: string, { command: [runtime, ...options] }: Runtime) {
    this.child = spawn(runtime, [...options, program]);
    this.child.stdin.on('error', () => {});
    this.child.stderr.on('data', (text) => process.stderr.write(text));
    createInterface({ input: this.child.stdout }).on('line', (text) => this.take(text));
    this.child.once('exit', () => {
      for (const { reject } of this.waiting.values()) reject(new Error('The program has ended.'));
    });
  }

  /** Does it and returns the result as JSON. Throws KitError. */
  ask(what: string, fields: Readonly<Record<string, unknown>> = {}): Promise<unknown> {
    this.asked += 1;
    const id = this.asked;
    this.child.stdin.write(`${JSON.stringify({ id, do: what, ...fields })}\n`);
    return new Promise((resolve, reject) => this.waiting.set(id, { resolve, reject }));
  }

  call(on: 'player' | 'server', name: string, args: object = {}, more: object = {}): Promise<unknown> {
    return this.ask('call', { on, name, args, ...more });
  }

  noticed(name: string): unknown[] {
    return this.notices.filter((one) => one.name === name).map(({ value }) => value);
  }

  /** Ends the program at once, as a crash or the system does. */
  async kill(): Promise<void> {
    if (this.child.exitCode !== null || this.child.signalCode !== null) return;
    const gone = once(this.child, 'exit');
    this.child.kill('SIGKILL');
    await gone;
  }

  private take(text: string): void {
    const line = Line.parse(JSON.parse(text));
    if (line.notice !== undefined) this.notices.push({ name: line.notice, value: line.value });
    const asker = this.waiting.get(line.id ?? 0);
    if (asker === undefined) return;
    this.waiting.delete(line.id ?? 0);
    const { success, data } = Thrown.safeParse(line);
    if (success) asker.reject(new KitError(data.type, data.code, data.error));
    else asker.resolve(line.result);
  }
}

/** Returns what the kit throws. */
export const thrownBy = async (promise: Promise<unknown>): Promise<KitError> => {
  const error: unknown = await promise.catch((thrown: unknown) => thrown);
  if (!(error instanceof KitError)) throw new Error(`Nothing was thrown, or something else: ${String(error)}`);
  return error;
};

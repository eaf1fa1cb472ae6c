/** Plays a scene and writes down, as markdown, what was typed and what was answered. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { stripVTControlCharacters } from 'node:util';
import { administrator, DaemonProcess } from '../support/daemon-process.js';
import { eventually } from '../support/eventually.js';
import { programEnvironment } from '../support/program-environment.js';
import type { CommandResult, LineOptions, RunningCommand, Scene, Stage } from './scene.js';

const programs = fileURLToPath(new URL('programs', import.meta.url));
const root = fileURLToPath(new URL('../..', import.meta.url));
const lineMs = 120_000;
const printsMs = 30_000;

/** Text that a terminal does not show any more: lines that were written over. */
const writtenOver = /\r(?=\n)|[^\n\r]*\r(?!\n)/g;

/** Hides folders of one machine, and secrets, even throw-away ones. */
const readable = (text: string, folders: readonly (readonly [string, string])[]): string =>
  folders
    .reduce(
      (all, [folder, name]) => all.replaceAll(folder, name),
      stripVTControlCharacters(text).replaceAll(writtenOver, ''),
    )
    .replaceAll(/earshot_live_(\w{4})\w{36,}/g, 'earshot_live_$1…')
    .replaceAll(/whsec_([\w+/]{4})[\w+/]{20,}/g, 'whsec_$1…')
    .replaceAll(/#token=[\w.-]{20,}/g, '#token=…')
    .replaceAll(/\beyJ[\w-]{20,}\.[\w-]+\.[\w-]+/g, 'eyJ…')
    .trimEnd();

/** @returns the scene's section of the document. @throws Error naming the line or the claim that failed */
export async function play(scene: Scene): Promise<string> {
  const daemon = new DaemonProcess(scene.settings);
  const home = mkdtempSync(join(tmpdir(), 'earshot-scene-'));
  const folder = mkdtempSync(join(tmpdir(), 'earshot-scene-'));
  const written = [`## ${scene.title}`];
  const running = new Set<RunningCommand>();
  try {
    await daemon.start();
    const stage = stageOf(daemon, { home, folder, written, running });
    await stage.run(`earshot login --email ${administrator.email} --password-stdin`, {
      input: administrator.password,
      quiet: true,
    });
    await scene.play(stage);
    const folders = [
      [folder, '.'],
      [home, '~'],
      [daemon.dataDir, './data'],
      [root, './'],
    ] as const;
    return readable(written.join('\n\n'), folders);
  } finally {
    for (const line of running) await line.stop();
    await daemon.dispose();
    for (const path of [home, folder]) rmSync(path, { recursive: true, force: true });
  }
}

interface Board {
  home: string;
  folder: string;
  written: string[];
  running: Set<RunningCommand>;
}

function stageOf(daemon: DaemonProcess, { home, folder, written, running }: Board): Stage {
  const start = (line: string, options: LineOptions = {}): RunningCommand => {
    const { input, env, cwd = '', within = lineMs, quiet = false } = options;
    const child = spawn('/bin/sh', ['-c', line], {
      cwd: join(folder, cwd),
      detached: true,
      env: {
        ...programEnvironment,
        PATH: `${programs}${delimiter}${process.env.PATH}`,
        HOME: home,
        XDG_CONFIG_HOME: join(home, '.config'),
        EARSHOT_URL: daemon.url,
        TZ: 'UTC',
        ...env,
      },
    });
    const exited = once(child, 'exit');
    const said = { all: '', stdout: '', stderr: '' };
    for (const channel of ['stdout', 'stderr'] as const)
      child[channel].setEncoding('utf8').on('data', (chunk: string) => {
        said.all += chunk;
        said[channel] += chunk;
      });
    child.stdin.on('error', () => {});
    child.stdin.end(input ?? '');
    const ends = async (): Promise<CommandResult> => {
      const late = setTimeout(() => kill('SIGKILL'), within);
      await exited;
      clearTimeout(late);
      if (running.delete(it) && !quiet) written.push(transcript(line, said.all, child.exitCode));
      return { stdout: said.stdout, stderr: said.stderr, exitCode: child.exitCode };
    };
    const kill = (signal: 'SIGINT' | 'SIGKILL') => {
      if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return;
      process.kill(-child.pid, signal); // the shell and what it runs
    };
    const it: RunningCommand = {
      prints: (pattern, withinMs = printsMs) =>
        eventually(() => {
          if (!pattern.test(said.all)) throw new Error(`${line} did not print ${pattern}, but: ${said.all}`);
        }, withinMs),
      stop: () => {
        kill('SIGINT');
        return ends();
      },
      ends,
    };
    running.add(it);
    return it;
  };
  return {
    daemon,
    get url() {
      return daemon.url;
    },
    folder,
    tell: (sentence) => written.push(sentence),
    show: (text) => written.push(`\`\`\`\n${text.trimEnd()}\n\`\`\``),
    check: (claim, holds) => {
      if (!holds) throw new Error(`This does not hold: ${claim}`);
      written.push(`✓ ${claim}`);
    },
    start,
    run: async (line, options = {}) => {
      const answered = await start(line, options).ends();
      const { exitCode = 0 } = options;
      if (answered.exitCode !== exitCode)
        throw new Error(`${line} ended with ${answered.exitCode}: ${answered.stdout}${answered.stderr}`);
      return answered;
    },
  };
}

const transcript = (line: string, said: string, exitCode: number | null): string =>
  [
    '```console',
    `$ ${line}`,
    ...(said.trim() === '' ? [] : [said.trimEnd()]),
    ...(exitCode === 0 || exitCode === null ? [] : [`(exit code ${exitCode})`]),
    '```',
  ].join('\n');

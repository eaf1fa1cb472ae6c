/**
 * Plays the commands of a document from top to bottom, in one shell that begins in an empty folder, beside a daemon of its
 * own. The programs are on the PATH, and an administrator has signed in.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, openSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { administrator, DaemonProcess } from '../../support/daemon-process.js';
import { freePort } from '../../support/free-port.js';
import { startHostingApi } from '../../support/hosting-api.js';
import { programEnvironment } from '../../support/program-environment.js';
import { root } from './commands.js';

export interface Surroundings {
  /** Shell commands that make what the page takes for granted; they must succeed. */
  readonly prepare?: readonly string[];
  /** Words in capitals that a reader replaces, each with the shell command that prints what to put there. */
  readonly placeholders?: Readonly<Record<string, string>>;
  /** Files that the reader has, with their text. */
  readonly files?: Readonly<Record<string, string>>;
  /**
   * Addresses that stand for the reader's own, each with the one that is meant here. In these `{url}` is the daemon's,
   * `{mqtt}` its port of MQTT, `{receiver}` that of a server that takes everything, `{hosting}` that of a hosting API.
   */
  readonly addresses?: Readonly<Record<string, string>>;
  /** Standard input of commands that read it, each by the beginning of its command. */
  readonly inputs?: Readonly<Record<string, string>>;
  /** Beginnings of commands that ask a person, who says yes. */
  readonly asks?: readonly string[];
  /** Exit codes other than 0, each by the beginning of its command. */
  readonly exits?: Readonly<Record<string, number>>;
  readonly settings?: Readonly<Record<string, string>>;
}

export interface Failure {
  readonly command: string;
  readonly status: number;
  readonly output: string;
}

/** Commands that go on until they are interrupted: they run beside those that follow. */
const goesOn =
  /^(EARSHOT_API_KEY=\S+ )?(\S*earshot(\.js)? ((\w+ )?(tail|watch)\b(?!.*&)|listen --forward-to)|mosquitto_sub )/;
const mark = 'played-command';

function linesFor(
  command: string,
  index: number,
  { placeholders = {}, inputs = {}, asks = [] }: Surroundings,
): string[] {
  const used = Object.keys(placeholders).filter((name) => new RegExp(`\\b${name}\\b`).test(command));
  const values = used.map((name, place) => `replaced_${place}=$(${placeholders[name]})`);
  const input = Object.entries(inputs).find(([begin]) => command.startsWith(begin))?.[1];
  const more = [
    ...(asks.some((begin) => command.startsWith(begin)) ? [' --yes'] : []),
    ...(input === undefined ? [] : [` <<< '${input}'`]),
  ].join('');
  const whole = more === '' ? command : `${command.replace(/\s+#.*$/, '')}${more}`;
  const text = used.reduce(
    (line, name, place) => line.replaceAll(new RegExp(`(?<![$\\w{])${name}\\b`, 'g'), `"$replaced_${place}"`),
    whole,
  );
  const run = goesOn.test(command) ? [`${text.replace(/\s+#.*$/, '')} &`, 'streams+=($!)'] : [text];
  return [...values, `echo "${mark} ${index} begins"`, ...run, `echo "${mark} ${index} ends $?"`];
}

/** Reads what the shell printed about each command. */
function failuresIn(printed: string, commands: readonly string[], exits: Readonly<Record<string, number>>): Failure[] {
  return commands.flatMap((command, index) => {
    const [, output = '', status = '-1'] =
      new RegExp(`${mark} ${index} begins\n(.*?)${mark} ${index} ends (\\d+)\n`, 's').exec(printed) ?? [];
    const expected = Object.entries(exits).find(([begin]) => command.startsWith(begin))?.[1] ?? 0;
    return Number(status) === expected ? [] : [{ command, status: Number(status), output }];
  });
}

/** Returns the commands that failed; the daemon and the folder are gone afterwards. */
export async function play(commands: readonly string[], surroundings: Surroundings): Promise<Failure[]> {
  const { prepare = [], files = {}, addresses = {}, settings = {}, exits = {} } = surroundings;
  const folder = mkdtempSync(join(tmpdir(), 'earshot-document-'));
  const receiver = createServer((_, answer) => answer.writeHead(204).end()).listen(0, '127.0.0.1');
  await once(receiver, 'listening');
  const receiverUrl = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`;
  const hosting = await startHostingApi();
  const mqttPort = String(await freePort());
  const daemon = new DaemonProcess({
    EARSHOT_MQTT_PORT: mqttPort,
    EARSHOT_OUTBOUND_ALLOW: '127.0.0.0/8',
    ...settings,
    EARSHOT_DATA_DIR: join(folder, 'data'),
  });
  try {
    mkdirSync(join(folder, 'data'), { mode: 0o700 });
    const programs = join(folder, 'bin');
    mkdirSync(programs);
    for (const name of ['earshot', 'earshotd'])
      for (const link of [name, `${name}.js`]) symlinkSync(join(root, 'bin', `${name}.js`), join(programs, link));
    for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text, { mode: 0o755 });
    await daemon.start();
    const meanings = { url: daemon.url, mqtt: mqttPort, receiver: receiverUrl, hosting: hosting.url };
    const all = [...prepare, ...commands].map((text) =>
      Object.entries({ 'http://127.0.0.1:8080': '{url}', ...addresses }).reduce(
        (line, [written, meant]) =>
          line.replaceAll(
            written,
            meant.replaceAll(/\{(\w+)\}/g, (_, name: keyof typeof meanings) => meanings[name]),
          ),
        text,
      ),
    );
    const output = join(folder, '.printed');
    const script = [
      'set -m', // a pipeline that goes on is a group of its own, and ends as one
      'streams=()',
      'exec 2>&1',
      `earshot login --email ${administrator.email} --password-stdin <<< '${administrator.password}'`,
      "export EARSHOT_PROJECT=$(earshot projects list --json | jq -r '.[0].id')",
      ...all.flatMap((command, index) => linesFor(command, index, surroundings)),
      `for stream in "\${streams[@]}"; do kill -- -$stream || echo "a stream has ended"; done`,
    ];
    writeFileSync(join(programs, 'curl'), '#!/bin/sh\nexec /usr/bin/curl -sS --fail-with-body "$@"\n', { mode: 0o755 });
    writeFileSync(join(folder, '.script'), `${script.join('\n')}\n`);
    const shell = spawn('bash', ['.script'], {
      cwd: folder,
      env: {
        ...programEnvironment,
        CLONE: root,
        PATH: `${programs}:${process.env.PATH}`,
        HOME: folder,
        EARSHOT_URL: daemon.url,
      },
      stdio: ['ignore', openSync(output, 'a'), 'inherit'],
    });
    await once(shell, 'exit');
    const printed = readFileSync(output, 'utf8');
    const ended = printed.includes('a stream has ended') ? [{ command: 'a stream', status: 1, output: printed }] : [];
    return [...failuresIn(printed, all, exits), ...ended];
  } finally {
    receiver.close();
    await hosting.stop();
    await daemon.dispose();
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** Help texts are made by the build and printed without oclif; they are what oclif prints. */
import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify, stripVTControlCharacters } from 'node:util';
import { afterAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { commandLine } from '../support/cli.js';
import { scale, torture } from '../support/scale.js';
import { hasTerminal, onTerminal } from '../support/terminal.js';

const program = fileURLToPath(new URL('../../bin/earshot.js', import.meta.url));
const root = fileURLToPath(new URL('../../', import.meta.url));
const folder = fileURLToPath(new URL('../../dist/cli/', import.meta.url));
const texts = z
  .object({ texts: z.record(z.string(), z.string()) })
  .parse(JSON.parse(readFileSync(`${folder}help.json`, 'utf8')));
const { commands } = z
  .object({
    commands: z.record(
      z.string(),
      z.object({
        flags: z.record(
          z.string(),
          z.object({
            multiple: z.boolean().optional(),
            delimiter: z.string().optional(),
            options: z.array(z.string()).optional(),
            description: z.string().optional(),
          }),
        ),
        args: z.record(z.string(), z.object({ options: z.array(z.string()).optional() })),
      }),
    ),
  })
  .parse(JSON.parse(readFileSync(join(root, 'oclif.manifest.json'), 'utf8')));
const subjects = Object.keys(texts.texts);
/** The build makes all of them alike, so one in so many is compared with what oclif prints. */
const compareEvery = scale(4, 1);
const cli = commandLine();
const config = mkdtempSync(join(tmpdir(), 'earshot-help-'));
afterAll(() => {
  cli.dispose();
  rmSync(config, { recursive: true, force: true });
});

const execute = promisify(execFile);
const environment = { PATH: process.env.PATH ?? '', XDG_CONFIG_HOME: config, XDG_CACHE_HOME: config };
const printed = async (words: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<string> =>
  (await execute(process.execPath, [program, ...words], { env: { ...environment, ...env } })).stdout;
/** The texts that are printed without oclif, made in a process of their own: colours are decided when it starts. */
async function readyFor(asked: readonly (readonly string[])[]): Promise<readonly (string | null)[]> {
  const file = new URL('../../dist/src/cli/ready-help.js', import.meta.url).href;
  const script = `import { readyHelp } from '${file}';
    const asked = ${JSON.stringify(asked)};
    console.log(JSON.stringify(asked.map((words) => readyHelp([...words, '--help'], ${JSON.stringify(folder)}))));`;
  const { stdout } = await execute(process.execPath, ['--input-type=module', '-e', script], { env: environment });
  return z.array(z.string().nullable()).parse(JSON.parse(stdout));
}
/** A flag beside `--help` changes nothing of the text, and leaves it to oclif. */
const byOclif = (words: readonly string[]): string[] => [...words, '--json', '--help'];

describe('help that is ready', () => {
  it('is there for every command, every topic, and the program', () => {
    expect(subjects).toEqual(expect.arrayContaining(['', 'login', 'sanctions', 'sanctions list', 'completion']));
    expect(subjects.length).toBeGreaterThan(190);
  });

  it('is what oclif prints', async () => {
    const different: string[] = [];
    const compared = subjects.filter((_, index) => index % compareEvery === 0);
    const asked = compared.map((subject) => (subject === '' ? [] : subject.split(' ')));
    for (const [index, ready] of (await readyFor(asked)).entries()) {
      const words = asked[index] ?? [];
      const { stdout } = await cli.run(byOclif(words));
      if (ready !== stdout) different.push(words.join(' '));
    }
    expect(different).toEqual([]);
  });

  it('of the program names every variable and every exit code', () => {
    const sources = ['commands', 'src/cli'].flatMap((folder) =>
      readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
        .filter((file) => file.endsWith('.ts'))
        .map((file) => readFileSync(join(root, folder, file), 'utf8')),
    );
    const named = new Set(sources.flatMap((source) => source.match(/\bEARSHOT_[A-Z_]+/g) ?? []));
    const program = texts.texts[''] ?? '';
    const ofOneCommand = Object.values(texts.texts).join('\n');
    const elsewhere = [
      'EARSHOT_OUTBOUND_ALLOW', // a setting of the daemon
      'EARSHOT_PUBLIC_URL', // another
      'EARSHOT_TRANSCRIBER', // another
      'EARSHOT_RECOGNITION_FACTOR', // another
      'EARSHOT_CONFIG_DIR', // where a theme of oclif lies
      ...['EARSHOT_ADMIN_EMAIL', 'EARSHOT_ADMIN_PASSWORD'], // of `earshotd exec`
    ];
    for (const name of named) if (!elsewhere.includes(name)) expect(ofOneCommand).toContain(name);
    for (const name of ['EARSHOT_URL', 'EARSHOT_API_KEY', 'EARSHOT_TOKEN', 'EARSHOT_PROJECT', 'EARSHOT_PROFILE'])
      expect(program).toMatch(new RegExp(`^ +${name} +[A-Z]`, 'm'));
    for (const code of [0, 1, 2, 3, 4, 5, 6, 7, 130]) expect(program).toMatch(new RegExp(`(^ +|, )${code} [a-z]`, 'm'));
  });

  it('begins with a line that a terminal of 80 columns shows whole: oclif does not wrap it', () => {
    const first = Object.values(texts.texts).map((text) => stripVTControlCharacters(text.split('\n')[0] ?? ''));
    expect(first.filter((line) => line.length > 80)).toEqual([]);
  });

  it('breaks no option within, in lists of any length and lines of any width', async () => {
    const broken = (id: string, text = ''): string[] => {
      const words = stripVTControlCharacters(text).split(/[\s|<>()[\]]+|\.\.\./);
      const { flags = {}, args = {} } = commands[id] ?? {};
      // Options of a flag stand in its line and in the usage.
      const shown = [
        ...Object.values(flags).map(({ options = [] }) => ({ options, times: 2 })),
        ...Object.values(args).map(({ options = [] }) => ({ options, times: 1 })),
      ];
      return shown.flatMap(({ options, times }) =>
        options.filter((option) => words.filter((word) => word === option).length < times),
      );
    };
    for (const id of Object.keys(commands))
      expect([id, ...broken(id, texts.texts[id.replaceAll(':', ' ')])]).toEqual([id]);
    for (const columns of ['50', '100'])
      for (const id of ['sanctions:issue', 'trigger', 'gatherings:update'])
        expect(broken(id, await printed([...id.split(':'), '--help'], { OCLIF_COLUMNS: columns }))).toEqual([]);
  });

  it('of each topic begins with a sentence of its own', () => {
    const { oclif } = z
      .object({ oclif: z.object({ topics: z.record(z.string(), z.object({ description: z.string().min(10) })) }) })
      .parse(JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')));
    const sentences = Object.entries(oclif.topics).map(([topic, { description }]) => [
      topic.replaceAll(':', ' '),
      description,
    ]);
    expect(new Set(sentences.map(([, sentence]) => sentence)).size).toBe(sentences.length);
    const topics = Object.keys(commands).flatMap((id) => {
      const words = id.split(':');
      return words.slice(1).map((_, index) => words.slice(0, index + 1).join(' '));
    });
    for (const topic of new Set(topics)) {
      const sentence = sentences.find(([name]) => name === topic)?.[1];
      expect({ topic, sentence }).toEqual({ topic, sentence: expect.any(String) });
      // A command of the same name has a help of its own.
      if (commands[topic] === undefined) expect(texts.texts[topic]?.replaceAll(/\s+/g, ' ')).toContain(sentence);
    }
  });

  it('has one spelling for flags that repeat: a,b or one at a time', () => {
    const repeating = Object.entries(commands).flatMap(([id, { flags }]) =>
      Object.entries(flags).flatMap(([name, { multiple, delimiter }]) =>
        multiple === true && delimiter !== ',' ? [`${id} --${name}`] : [],
      ),
    );
    // Their values have commas of their own.
    expect(
      repeating.filter((one) => !/--(expect|forward-to|set|metadata-conditions|challenges|categories)$/.test(one)),
    ).toEqual([]);
  });

  const some = [['sanctions', 'list'], [], ['sanctions'], ['battle-passes', 'challenges'], ['mute']];
  /** At small scale the help of a command and that of the program in turn. */
  const askedWith = (place: number) => (torture ? some : some.slice(place % 2, (place % 2) + 1));

  const colours = ['TERM=xterm', 'FORCE_COLOR=1', 'NO_COLOR=1', 'CI=1', 'COLORTERM=truecolor'];
  it.each(colours.map((setting, place) => ({ setting, place })))(
    'has the colours that oclif would give it, with $setting',
    async ({ setting, place }) => {
      const env = Object.fromEntries([setting.split('=')]);
      for (const words of askedWith(place))
        expect(await printed([...words, '--help'], env)).toBe(await printed(byOclif(words), env));
    },
  );

  it.each(['40', '80', '100', '0', 'x'].map((columns, place) => ({ columns, place })))(
    'has the width that oclif would give it, $columns columns stated',
    async ({ columns, place }) => {
      const env = { OCLIF_COLUMNS: columns };
      for (const words of askedWith(place))
        expect(await printed([...words, '--help'], env)).toBe(await printed(byOclif(words), env));
    },
  );

  it.skipIf(!hasTerminal)('is the same on a terminal of 80 columns, and on a wide one', async () => {
    const shown = async (columns: number, words: readonly string[]): Promise<string> => {
      const line = `stty cols ${columns}; '${process.execPath}' '${program}' ${words.join(' ')}`;
      const terminal = onTerminal(line, environment);
      await terminal.ended;
      return terminal.shown;
    };
    for (const columns of [80, 132]) {
      const ready = await shown(columns, ['sanctions', 'list', '--help']);
      expect(ready).toBe(await shown(columns, byOclif(['sanctions', 'list'])));
      expect(ready).toContain('\u001b[1m');
    }
  });

  it('follows the several ways to ask for it', async () => {
    const [program, topic, command] = [
      await printed([]),
      await printed(['sanctions']),
      await printed(['help', 'mute']),
    ];
    expect(program).toBe(await printed(['--help']));
    expect(await printed(['help'])).toBe(program);
    expect(program).toContain(`node-${process.version}`);
    expect(topic).toBe(await printed(['sanctions', '--help']));
    expect(command).toBe(await printed(['mute', '--help']));
    expect(await printed(['mute', 'u1', '--help'])).toBe(command);
  });

  it('leaves the look to a theme of the user', async () => {
    const themed = mkdtempSync(join(tmpdir(), 'earshot-theme-'));
    const env = { XDG_CONFIG_HOME: themed, FORCE_COLOR: '1', TERM: 'xterm' };
    const plain = await printed(['mute', '--help'], env);
    mkdirSync(join(themed, 'earshot'));
    writeFileSync(join(themed, 'earshot/theme.json'), JSON.stringify({ sectionHeader: 'red' }));
    expect(await printed(['mute', '--help'], env)).not.toBe(plain);
    rmSync(themed, { recursive: true, force: true });
  });
});

describe('a command that there is not', () => {
  it.each([
    [['sanctions', 'lst'], 'Did you mean `earshot sanctions list`?'],
    [['santcions', 'list', '--json'], 'Did you mean `earshot sanctions list`?'],
    [['sanctions', 'templates', 'lits'], 'Did you mean `earshot sanctions templates list`?'],
    [['mut', 'u_42', '10m'], 'Did you mean `earshot mute`?'],
    [['webhoks'], 'Did you mean `earshot webhooks`?'],
    [['frobnicate'], '"frobnicate" is no command; `earshot --help` lists them.'],
    [['api-keys', 'delete', 'game'], '"api-keys delete" is no command. Did you mean `earshot api-keys revoke`?'],
    [
      ['leaderboards', 'remove', 'Kills', 'ann'],
      '"leaderboards remove" is no command. Did you mean `earshot leaderboards remove-member`, or `earshot leaderboards delete`?',
    ],
    [['bans'], 'Did you mean `earshot sanctions list --type ban --active`?'],
    [['sanctions', 'ban', 'bob'], 'Did you mean `earshot ban`?'],
    [['webhooks', 'frobnicate', 'x'], '`earshot webhooks` can be followed by: attempts, create, delete,'],
    [['projects', 'list', 'x'], '`earshot projects list` does not accept "x"; see `earshot projects list --help`'],
  ])('%j is answered with what was meant', async (words, said) => {
    const { code, stderr, stdout } = await cli.run(words);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(said);
  });
});

describe('a flag that several commands share', () => {
  const topics = new Set(Object.keys(commands).flatMap((id) => id.split(':').slice(0, -1)));
  const texts = Object.entries(commands).flatMap(([id, { flags }]) =>
    Object.entries(flags).flatMap(([flag, { description = '' }]) => {
      const [, noun = ''] = /^Only (?:of |these )?([a-z]+)\b/.exec(description) ?? [];
      // Words that stand alone, such as `listen`, have no resource of their own.
      return id.includes(':') && topics.has(noun) ? [{ id, flag, noun, description }] : [];
    }),
  );

  /** A statement is of a sanction. */
  const otherNames: Readonly<Record<string, string>> = { sanctions: 'statements' };

  it.each(texts)('$id --$flag says "$description"', ({ id, noun }) => {
    expect([noun, otherNames[noun] ?? noun].some((name) => id.includes(name))).toBe(true);
  });
});

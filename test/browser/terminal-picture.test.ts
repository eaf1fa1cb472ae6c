/** The picture of a terminal in README.md: what the commands print there, colours included. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { escapedMarkup } from '../../src/text/markup.js';
import { chromiumPath, picture, Visitor } from '../support/browser.js';
import { commandLine } from '../support/cli.js';
import { startDaemon, type TestDaemon } from '../support/daemon.js';

/** Colours of the codes that the CLI writes. */
const styles: Readonly<Record<string, string>> = {
  1: 'font-weight:bold',
  2: 'opacity:.6',
  31: 'color:#ff7b72',
  32: 'color:#7ee787',
  33: 'color:#f2cc60',
  34: 'color:#79c0ff',
  36: 'color:#76e3ea',
};

// biome-ignore lint/suspicious/noControlCharactersInRegex: that is what a terminal obeys
const code = /\u001b\[([\d;]*)m/;

/** Each code opens a span, or closes the last one. */
function asMarkup(printed: string): string {
  const [first = '', ...parts] = printed.split(code);
  let open = 0;
  let markup = escapedMarkup(first);
  for (let at = 0; at < parts.length; at += 2) {
    const style = styles[parts[at] ?? ''];
    if (style !== undefined) markup += `<span style="${style}">`;
    else if (open > 0) markup += '</span>';
    open += style === undefined ? -1 : 1;
    markup += escapedMarkup(parts[at + 1] ?? '');
  }
  return markup;
}

const lines = [
  'mute lena 10m --reason "shouting"',
  'sanctions list --active',
  'sessions list',
  'leaderboards show Kills',
];
const words = (line: string): string[] =>
  [...line.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, plain = '']) => quoted ?? plain);

let daemon: TestDaemon;
const cli = commandLine(() => ({ EARSHOT_URL: daemon.url, EARSHOT_API_KEY: daemon.apiKey }));
beforeAll(async () => {
  daemon = await startDaemon();
  for (const line of [
    'participants create --user lena --display-name "Lena Ortiz"',
    'participants create --user mateo --display-name "Mateo Wolf"',
    'sessions create --title "Friday raid" --room raid --no-auto-start',
    'leaderboards create Kills --event-name kill-enemy',
    'game-events send kill-enemy --user lena --amount 41',
    'game-events send kill-enemy --user mateo --amount 38',
    'ban mateo 7d --reason "aimbot"',
  ])
    expect(await cli.run(words(line))).toMatchObject({ code: 0 });
});
afterAll(async () => {
  await daemon.stop();
  cli.dispose();
});

describe.skipIf(chromiumPath === null)('a terminal', { timeout: 120_000 }, () => {
  it('shows who was muted, until when, and who leads', async () => {
    let shown = '';
    for (const line of lines) {
      const { code: status, stdout, stderr } = await cli.run(words(line), { isTerminal: true });
      expect({ line, status }).toEqual({ line, status: 0 });
      shown += `<span style="color:#7ee787">$</span> earshot ${escapedMarkup(line)}\n${asMarkup(stdout)}${asMarkup(stderr)}\n`;
    }
    for (const word of ['Lena Ortiz', 'shouting', 'Friday raid', '41']) expect(shown).toContain(word);
    const visitor = await Visitor.come(null, { viewport: { width: 1130, height: 560 } });
    const pre = '<pre style="margin:24px;font:15px/1.45 monospace">';
    await visitor.page.setContent(`<body style="margin:0;background:#0d1117;color:#e6edf3">${pre}${shown}`);
    await picture(visitor, 'terminal');
    await visitor.go();
  });
});

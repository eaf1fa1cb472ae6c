/**
 * Help texts as oclif renders them, made by the build (`bin/help.mjs`) for the usual 80 columns, where output goes that
 * is no terminal. Anything else is left to oclif: other widths, options beside `--help`, a theme of the user.
 */
import { existsSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import ansis from 'ansis';
import { ownValue } from '../names/own-value.js';

const usualColumns = 80;
/** Stands in the texts of `help.json` for oclif's line about version, platform and Node.js. */
const agentMark = '{user agent}';

interface Texts {
  /** Package and version, such as `earshot/1.0.0`. */
  readonly agent: string;
  /** Help texts by the words of the command or topic, '' for the program, with escapes for bold text. */
  readonly texts: Readonly<Record<string, string>>;
  /** Topics that are no command: their name alone asks for help. */
  readonly topics: readonly string[];
}

/** Returns the text to print; null where oclif has to run. `folder`: of the bundle, with a slash at the end. */
export function readyHelp(argv: readonly string[], folder: string): string | null {
  const words = argv.filter((word) => word !== '--help');
  const asked = words.length < argv.length || words.length === 0;
  if (!words.every((word) => /^[a-z][a-z0-9-]*$/.test(word)) || columns() !== usualColumns || hasTheme()) return null;
  const subject = words[0] === 'help' ? words.slice(1).join(' ') : words.join(' ');
  const { agent, texts, topics }: Texts = JSON.parse(readFileSync(`${folder}help.json`, 'utf8'));
  if (!asked && words[0] !== 'help' && !topics.includes(subject)) return null;
  const text = ownValue(texts, subject);
  if (text === undefined) return null;
  const whole = text.replace(agentMark, `${agent} ${process.platform}-${process.arch} node-${process.version}`);
  if (!ansis.isSupported()) return ansis.strip(whole);
  return isPlainTerminal() ? whole : null;
}

/** oclif asks two packages about colours; here both are known to want them. */
function isPlainTerminal(): boolean {
  const { TERM = '', CI, FORCE_COLOR, TEAMCITY_VERSION } = process.env;
  const isUnusual = [CI, FORCE_COLOR, TEAMCITY_VERSION].some((one) => one !== undefined);
  return process.stdout.isTTY && process.stderr.isTTY && !isUnusual && /^(screen|xterm|vt220|rxvt|linux)/.test(TERM);
}

/** Returns the width of the terminal as oclif counts it. */
function columns(): number {
  const stated = Number.parseInt(process.env.OCLIF_COLUMNS ?? '', 10);
  if (stated > 0) return stated;
  const width = process.stdout.isTTY ? process.stdout.getWindowSize()[0] : usualColumns;
  return width < 1 ? usualColumns : width;
}

/** oclif reads one from the folder of our profiles. */
const hasTheme = (): boolean =>
  existsSync(
    join(
      process.env.EARSHOT_CONFIG_DIR ??
        join(process.env.XDG_CONFIG_HOME || join(process.env.HOME ?? homedir(), '.config'), 'earshot'),
      'theme.json',
    ),
  );

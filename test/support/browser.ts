/** Debian's Chromium, headless, with a recording for a microphone. Suites that need it skip visibly where it is missing. */
import { existsSync, mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import axe from 'axe-core';
import { type Browser, chromium, type Page } from 'playwright-core';
import { expect } from 'vitest';
import { torture } from './scale.js';

const candidates = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];
const patienceMs = 60_000;

/** Null where there is none. */
export const chromiumPath: string | null = candidates.find((path) => existsSync(path)) ?? null;
if (chromiumPath === null)
  process.stderr.write(
    'Suites with a browser are skipped: there is no Chromium. On Debian: apt-get install -y chromium\n',
  );

export interface Looks {
  readonly colorScheme?: 'light' | 'dark';
  readonly viewport?: { width: number; height: number };
  /** Accepts the certificates of tests. */
  readonly ignoreHTTPSErrors?: boolean;
  readonly locale?: string;
}

const launch = (microphone: string | null): Promise<Browser> =>
  chromium.launch({
    executablePath: chromiumPath ?? '',
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--use-fake-ui-for-media-stream',
      '--use-fake-device-for-media-stream',
      ...(microphone === null ? [] : [`--use-file-for-fake-audio-capture=${microphone}`]),
    ],
  });

/** The browser of all visitors to this process who have no recording; it ends with the process. */
let shared: Promise<Browser> | undefined;

export class Visitor {
  /** Complaints of the page: errors, and resources that its content policy refused. */
  readonly complaints: string[] = [];

  private constructor(
    readonly page: Page,
    /** Leaves nothing of the visit. */
    readonly go: () => Promise<void>,
  ) {
    page.setDefaultTimeout(patienceMs);
    page.on('pageerror', ({ message }) => this.complaints.push(message));
    page.on('console', (line) => {
      if (/Content Security Policy|Refused to|Permissions policy/i.test(line.text())) this.complaints.push(line.text());
    });
  }

  /** A recording, which plays again and again, takes a browser of its own: it is the microphone of all its pages. */
  static async come(
    microphone: string | null,
    { colorScheme = 'light', viewport, ignoreHTTPSErrors = false, locale = 'en-GB' }: Looks = {},
  ): Promise<Visitor> {
    const launched = (microphone === null ? shared : undefined) ?? launch(microphone);
    if (microphone === null) shared = launched;
    const browser = await launched;
    const context = await browser.newContext({
      colorScheme,
      ignoreHTTPSErrors,
      locale,
      viewport: viewport ?? { width: 1100, height: 720 },
      permissions: ['microphone'],
    });
    return new Visitor(await context.newPage(), () => (microphone === null ? context : browser).close());
  }
}

/** Returns the faults that an accessibility checker finds with the page as it is now. */
export async function faults({ page }: Visitor): Promise<string[]> {
  if (!(await page.evaluate<boolean>("typeof axe === 'object'"))) await page.evaluate(axe.source);
  const { violations } = await page.evaluate<axe.AxeResults>('axe.run()');
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`);
}

const looks = [
  { colorScheme: 'light', width: 1100 },
  { colorScheme: 'dark', width: 360 },
  ...(torture ? [{ colorScheme: 'light', width: 360 } as const, { colorScheme: 'dark', width: 1100 } as const] : []),
] as const;

/** Runs the check in the light and in the dark scheme, in a window and on a phone, where the page may not scroll aside. */
export async function expectFine(visitor: Visitor): Promise<void> {
  const { page } = visitor;
  const size = page.viewportSize();
  for (const { colorScheme, width } of looks) {
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize({ width, height: 740 });
    const scrollWidth = await page.evaluate<number>('document.documentElement.scrollWidth');
    expect({ colorScheme, width, scrollWidth, faults: await faults(visitor) }).toEqual({
      ...{ colorScheme, width, scrollWidth: width, faults: [] },
    });
  }
  if (size !== null) await page.setViewportSize(size);
}

const images = fileURLToPath(new URL('../../docs/images/', import.meta.url));

/** Takes a screenshot for the documentation, in the light scheme. Stored only with EARSHOT_SCREENSHOTS=1, so that tests leave the tree unchanged. */
export async function picture({ page }: Visitor, name: string): Promise<void> {
  if (process.env.EARSHOT_SCREENSHOTS !== '1') return;
  const path = join(images, `${name}.png`);
  mkdirSync(dirname(path), { recursive: true });
  await page.emulateMedia({ colorScheme: 'light' });
  // Most people see no commands in the console.
  const showsCommands = await page.evaluate(`document.querySelector('.cli-switch[aria-pressed="true"]') !== null`);
  const turn = async () => showsCommands === true && page.evaluate(`document.querySelector('.cli-switch').click()`);
  await turn();
  await page.screenshot({ path, animations: 'disabled' });
  await turn();
}

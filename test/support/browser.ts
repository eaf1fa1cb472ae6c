/** Debian's Chromium, headless, with a recording for a microphone. Suites that need it skip visibly where it is missing. */
import { existsSync, mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Browser, chromium, type Page } from 'playwright-core';

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
}

export class Visitor {
  /** What the page complained about: errors, and what its content policy refused. */
  readonly complaints: string[] = [];

  private constructor(
    private readonly browser: Browser,
    readonly page: Page,
  ) {
    page.setDefaultTimeout(patienceMs);
    page.on('pageerror', ({ message }) => this.complaints.push(message));
    page.on('console', (line) => {
      if (/Content Security Policy|Refused to|Permissions policy/i.test(line.text())) this.complaints.push(line.text());
    });
  }

  /** A browser of their own, since a recording is the microphone of all its pages. It plays again and again. */
  static async come(microphone: string | null, { colorScheme = 'light', viewport }: Looks = {}): Promise<Visitor> {
    const browser = await chromium.launch({
      executablePath: chromiumPath ?? '',
      args: [
        '--no-sandbox',
        '--disable-gpu',
        '--use-fake-ui-for-media-stream',
        '--use-fake-device-for-media-stream',
        ...(microphone === null ? [] : [`--use-file-for-fake-audio-capture=${microphone}`]),
      ],
    });
    const context = await browser.newContext({
      colorScheme,
      locale: 'en-GB',
      viewport: viewport ?? { width: 1100, height: 720 },
      permissions: ['microphone'],
    });
    return new Visitor(browser, await context.newPage());
  }

  go = (): Promise<void> => this.browser.close();
}

const images = fileURLToPath(new URL('../../docs/images/', import.meta.url));

/** For the documentation; kept only when EARSHOT_SCREENSHOTS=1, so that tests leave the tree as it was. */
export async function picture({ page }: Visitor, name: string): Promise<void> {
  if (process.env.EARSHOT_SCREENSHOTS !== '1') return;
  const path = join(images, `${name}.png`);
  mkdirSync(dirname(path), { recursive: true });
  await page.screenshot({ path, animations: 'disabled' });
}

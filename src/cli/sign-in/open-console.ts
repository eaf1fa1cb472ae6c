/** Opens a page of the console in a browser, signed in as whoever runs the command. */
import type { EarshotClient } from '../../client/earshot-client.js';
import { consoleSessionRoutes } from '../../contract/identity/console-sessions.js';
import { StateError } from '../../terminal/state-error.js';
import { openBrowser } from './open-browser.js';

interface ConsoleOptions {
  /** Page below /console, with a slash before it, or nothing. */
  readonly page: string;
  /** False: the address is printed alone. */
  readonly opens: boolean;
}

/** Returns the address, and whether a browser was started for it. Throws StateError for an API key. */
export async function openConsole(
  client: EarshotClient,
  { page, opens }: ConsoleOptions,
): Promise<{ readonly url: string; readonly opened: boolean; readonly expiresAt: string }> {
  if (client.credential?.kind === 'apiKey')
    throw new StateError(
      'person_required',
      'The console is for people, and this is an API key. Log in with `earshot login` first.',
    );
  const { code, expiresAt } = await client.call(consoleSessionRoutes.createCode, {});
  const url = new URL(`${client.baseUrl.replace(/\/$/, '')}/console${page}`);
  url.hash = `code=${code}`; // browsers send no fragment, so no server or proxy logs the code
  return { url: url.href, opened: opens && openBrowser(url.href), expiresAt };
}

/** Base of the commands that lead to the console. */
import * as Flags from '@oclif/core/flags';
import { ProjectCommand } from '../command/command.js';
import { openConsole } from './open-console.js';

export const noBrowserFlag = {
  'no-browser': Flags.boolean({ description: 'Print the address and open no browser' }),
};

export abstract class ConsoleCommand extends ProjectCommand {
  /** @param page below /console, with a slash before it, or nothing */
  protected async lead(page: string, opens: boolean): Promise<void> {
    const { url, opened, expiresAt } = await openConsole(this.client, { page, opens });
    if (this.common.json === true) return this.show({ url, expiresAt });
    if (opened)
      this.logToStderr('A browser opens. If none does, open this address within a minute; it signs you in, once:');
    else this.logToStderr('Open this address in a browser within a minute; it signs you in, once:');
    this.log(url);
  }
}

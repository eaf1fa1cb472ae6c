/** `earshotd webhooks release`. */
import { print } from '../../src/terminal/terminal.js';
import { releaseWebhooks } from '../modules/webhooks/module.js';
import { operate } from './operate.js';
import type { SettingOptions } from './setting-options.js';

export async function release(options: SettingOptions): Promise<void> {
  const { pending } = await operate(options, releaseWebhooks, {});
  print(`webhooks are sent; ${pending} ${pending === 1 ? 'has' : 'have'} waited`);
}

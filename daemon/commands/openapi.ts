/** `earshotd openapi`: the document on standard output, with the address that the settings give the daemon. */

import { openApiDocument } from '../../src/contract/openapi.js';
import { allRoutes } from '../../src/contract/routes.js';
import { print } from '../../src/terminal/terminal.js';
import { loadSettings } from '../platform/config/load.js';
import { version } from '../platform/version.js';
import type { SettingOptions } from './setting-options.js';

export function printOpenApi({ config, set }: SettingOptions): void {
  const { settings } = loadSettings({ flags: set, file: config });
  const { EARSHOT_PUBLIC_URL: publicUrl, EARSHOT_TLS_CERT: certificate, EARSHOT_PORT: port } = settings;
  const local = `${certificate === undefined ? 'http' : 'https'}://127.0.0.1:${port}`;
  print(JSON.stringify(openApiDocument(allRoutes, version, publicUrl ?? local), null, 2));
}

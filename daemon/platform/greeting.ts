/** Says which program answers: `GET /api`, and `GET /` for programs. */
import type { Greeting } from '../../src/contract/identity/accounts.js';
import { version } from './version.js';

export const greetingOf = (publicUrl: string): Greeting => ({
  message: 'Earshot is listening. /docs and /api/openapi.json list every operation.',
  name: 'earshot',
  version,
  publicUrl,
});

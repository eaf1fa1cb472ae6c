import * as Args from '@oclif/core/args';
import { commandRow } from '../../src/cli/command/row.js';
import { settingsRoutes } from '../../src/contract/projects/settings.js';

export default {
  'debug-audio': commandRow({
    route: settingsRoutes.debugAudio,
    examples: ['on'],
    args: {
      state: Args.string({ required: true, options: ['on', 'off'], description: 'Whether audio is kept for 24 hours' }),
    },
    body: ({ state }) => ({ enabled: state === 'on' }),
    columns: ['debugAudioEnabled', 'updatedAt'],
  }),
  'rotate-secret': commandRow({
    route: settingsRoutes.rotateSecret,
    description: '`settings secret` shows the new one.',
    examples: ['', '--overlap-seconds 0'],
  }),
  secret: commandRow({
    route: settingsRoutes.secret,
    examples: [''],
  }),
  'sync-secret': commandRow({
    route: settingsRoutes.syncSecret,
    examples: [''],
  }),
};

import * as Args from '@oclif/core/args';
import { commandRow } from '../../../src/cli/command/row.js';
import { nameArgument } from '../../../src/cli/names/kinds.js';
import { participantRecordRoutes } from '../../../src/contract/people/participant-records.js';

export default {
  add: commandRow({
    route: participantRecordRoutes.addNote,
    examples: ['u_42 "Talked to them, they are sorry."'],
    args: {
      user: nameArgument('participant'),
      text: Args.string({ required: true, description: 'What other moderators should know' }),
    },
  }),
  delete: commandRow({
    route: participantRecordRoutes.removeNote,
    examples: ['u_42 NOTE'],
    args: {
      user: nameArgument('participant'),
      note: Args.string({ required: true, description: 'Note id' }),
    },
    says: 'The note is deleted.',
  }),
};

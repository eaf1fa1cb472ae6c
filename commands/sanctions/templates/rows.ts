import * as Args from '@oclif/core/args';
import { commandRow } from '../../../src/cli/command/row.js';
import { sanctionTemplateRoutes } from '../../../src/contract/moderation/sanction-templates.js';

export default {
  delete: commandRow({
    route: sanctionTemplateRoutes.remove,
    examples: ['shouting'],
    args: { name: Args.string({ required: true, description: 'Name of the template' }) },
    says: 'The template is deleted.',
  }),
  list: commandRow({
    route: sanctionTemplateRoutes.list,
    examples: ['', '--search spam'],
    columns: ['name', 'reason', 'updatedAt'],
  }),
  set: commandRow({
    route: sanctionTemplateRoutes.set,
    examples: [
      'shouting "Please do not shout."',
      'slur "You used a slur." --reasons \'{"de":"Du hast jemanden beschimpft."}\' --ground \'{"kind":"terms","reference":"Section 4"}\'',
    ],
    args: {
      name: Args.string({ required: true, description: 'Name of the template' }),
      reason: Args.string({ required: true, description: 'Reason that the sanctioned person sees' }),
    },
  }),
};

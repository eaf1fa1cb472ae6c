import { Flags } from '@oclif/core';
import { ProjectCommand } from '../../src/cli/command/command.js';
import { NewFile } from '../../src/cli/files/new-file.js';
import { nameArgument } from '../../src/cli/names/kinds.js';
import {
  documentForms,
  documentOf,
  exportedPerson,
  type FormName,
  formNames,
} from '../../src/cli/people/person-export.js';
import { PersonExportQuery, personExportRoutes } from '../../src/contract/people/person-export.js';
import { interruption } from '../../src/terminal/interruption.js';
import { printData } from '../../src/terminal/terminal.js';

const isForm = (name: string | undefined): name is FormName => formNames.some((one) => one === name);

export default class ParticipantsExport extends ProjectCommand {
  static override summary = personExportRoutes.export.summary;
  static override description =
    'The export holds profile, notes, sanctions, reviews, messages with their audio where it is kept, gatherings, gameplay, events and audit entries. --format html writes one page to read and listen to; json writes one object with a list for each kind. An interrupted export leaves no file. Only administrators of the project can export a person, and the export is recorded in the audit log.';
  static override aliases = ['people:export', 'players:export'];
  static override examples = [
    '<%= config.bin %> <%= command.id %> bob',
    '<%= config.bin %> <%= command.id %> bob --out bob.html',
    '<%= config.bin %> <%= command.id %> u_42 --out u_42.json',
  ];
  static override args = { user: nameArgument('person') };
  static override flags = {
    out: Flags.string({ char: 'o', aliases: ['output'], description: 'File to write; default: standard output' }),
    format: Flags.string({
      options: [...formNames],
      description: 'Default: by the extension of the file (.json, .html), else text',
    }),
    confidential: Flags.boolean({ description: PersonExportQuery.shape.confidential.description ?? '' }),
  };

  async run(): Promise<void> {
    const { args, flags } = await this.input(ParticipantsExport);
    const ending = flags.out?.split('.').at(-1);
    const asked = this.common.json === true ? 'json' : (flags.format ?? ending);
    const form = documentForms[isForm(asked) ? asked : 'text'];
    const signal = interruption();
    const params = { projectId: await this.projectId(), user: args.user };
    const records = exportedPerson(this.client, params, { confidential: flags.confidential }, signal, (line) =>
      this.logToStderr(line),
    );
    const file = flags.out === undefined ? null : await NewFile.open(flags.out);
    try {
      for await (const part of documentOf(args.user, records, form)) await (file?.write(part) ?? printData(part));
      if (!signal.aborted) await file?.keep();
    } finally {
      await file?.drop();
    }
    if (signal.aborted) this.logToStderr('Interrupted: the export is incomplete.');
    else if (flags.out !== undefined) this.logToStderr(`Written to ${flags.out}.`);
  }
}

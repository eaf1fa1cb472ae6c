import * as Flags from '@oclif/core/flags';
import { writeOut } from '../../src/cli/files/write-out.js';
import { CaseCommand, caseArgument } from '../../src/cli/moderation/cases/act-on-case.js';
import { incidentOf } from '../../src/cli/moderation/cases/incident.js';
import { incidentPage } from '../../src/cli/moderation/cases/incident-page.js';
import { moderatorNames } from '../../src/cli/names/moderators.js';
import { daemonNow } from '../../src/cli/typed/daemon-clock.js';
import { zipOf } from '../../src/files/zip.js';

export default class CasesExport extends CaseCommand {
  static override summary = 'Export everything that a case rests on as one archive, with a page to read.';
  static override description =
    'incident.html has the words and times of the reports, sanctions and what the person was told, reviews, decisions and the audit log; sound/ has the sound that was stored with reports, and the JSON files have the same as the API shows it. What the credential does not open is left out, and the page says so.';
  static override examples = ['<%= config.bin %> <%= command.id %> CASE --out incident.zip'];
  static override args = { case: caseArgument() };
  static override flags = {
    out: Flags.string({ description: 'File to write; an existing file is not overwritten', required: true }),
  };

  async run(): Promise<void> {
    const { args, flags } = await this.input(CasesExport);
    const projectId = await this.projectId();
    const now = daemonNow();
    const incident = await incidentOf(this.client, projectId, args.case);
    const nameOf = await moderatorNames(this.client, projectId);
    const { sound, leftOut, detail, ...lists } = incident;
    const json = Object.entries({ case: detail, ...lists }).map(([name, value]) => ({
      name: `${name}.json`,
      content: `${JSON.stringify(value, null, 2)}\n`,
    }));
    const files = [
      { name: 'incident.html', content: incidentPage(incident, nameOf, now.toISOString()) },
      ...json,
      ...sound.map(({ name, wav }) => ({ name, content: wav })),
    ];
    await writeOut(flags.out, zipOf(files, now), { isNew: true });
    const missing =
      leftOut.length === 0 ? '' : ` Left out, because your credential does not open it: ${leftOut.join(', ')}.`;
    if (this.common.json === true) this.printJson({ file: flags.out, files: files.map(({ name }) => name), leftOut });
    else this.logToStderr(`${files.length} files in ${flags.out}; incident.html is the page to read.${missing}`);
  }
}

import { EarshotCommand } from '../src/cli/command.js';
import { examine, type Finding } from '../src/cli/examine.js';

export default class Doctor extends EarshotCommand {
  static override summary = 'Say what stands between you and the daemon: address, login, projects, settings.';
  static override examples = ['<%= config.bin %> doctor'];

  async run(): Promise<void> {
    await this.input(Doctor);
    const findings: Finding[] = [];
    for await (const finding of examine(this.client)) findings.push(finding);
    this.list(findings, findings, ['check', 'ok', 'says']);
    if (findings.some(({ ok }) => !ok)) process.exitCode = 1;
  }
}

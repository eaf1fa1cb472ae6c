import { EarshotCommand } from '../src/cli/command/command.js';
import { type Checked, examine } from '../src/cli/why/doctor.js';
import { findingLines, markOf } from '../src/cli/why/finding-lines.js';

const checkWidth = 'credential'.length;
/** Exit code. */
const unreachable = 7;

export default class Doctor extends EarshotCommand {
  static override summary = 'Check the address, login, projects, settings, bots and webhooks.';
  static override aliases = ['status'];
  static override examples = ['<%= config.bin %> doctor'];

  async run(): Promise<void> {
    await this.input(Doctor);
    const checks: Checked[] = [];
    for await (const checked of examine(this.client)) checks.push(checked);
    if (this.screen.isTerminal && this.common.json !== true) for (const one of checks) this.printCheck(one);
    else this.list(checks, checks, ['check', 'ok', 'says']);
    const failed = checks.find(({ ok }) => !ok);
    if (failed?.check === 'daemon') process.exitCode = unreachable;
    else if (failed !== undefined) this.checkFailed();
  }

  /** All of it: what is wrong ends with the command to type. */
  private printCheck({ check, ok, says }: Checked): void {
    const sentence = `${check.padEnd(checkWidth)}  ${says}`;
    this.log(findingLines(markOf(ok, this.screen), sentence, undefined, this.screen).join('\n'));
  }
}

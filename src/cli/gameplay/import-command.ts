/** Shared part of the commands that send game events and wait for challenges that they complete. */
import * as Flags from '@oclif/core/flags';
import { interruption } from '../../terminal/interruption.js';
import { ProgressLine } from '../../terminal/progress.js';
import { printErrorData } from '../../terminal/terminal.js';
import { ProjectCommand } from '../command/command.js';
import { refusedLinesJson } from '../command/error-json.js';
import { nameFlag } from '../names/kinds.js';
import { parseDuration } from '../typed/times.js';
import { eventsOfFile } from './event-file.js';
import { importEvents, notCompleted } from './import-events.js';

export const waitFlags = {
  'wait-completed': nameFlag(
    'challenge',
    'Wait until every named player has completed this challenge; else exit with 1',
  ),
  timeout: Flags.string({ default: '10s', description: 'How long to wait for that' }),
};

/** Lines of refusals that are printed. */
const maxShown = 20;

export abstract class ImportCommand extends ProjectCommand {
  /** Sends the file. With a challenge, waits for it. */
  protected async importFile(path: string, waiting: Readonly<Record<keyof typeof waitFlags, string | undefined>>) {
    const events = await eventsOfFile(path);
    const projectId = await this.projectId();
    const [progress, signal] = [new ProgressLine(), interruption()];
    const onProgress = (answered: number): void =>
      progress.show(
        answered,
        events.length,
        `${answered.toLocaleString('en')} of ${events.length.toLocaleString('en')} events`,
      );
    const answer = await importEvents(events, { client: this.client, projectId, signal, onProgress }).finally(() =>
      progress.clear(),
    );
    const { stored, refused } = answer;
    if (this.common.json === true) {
      this.printJson(answer);
      const lines = refused.map((one) => ({ ...one, field: '' }));
      if (refused.length > 0) printErrorData(`${refusedLinesJson(lines, 'These lines are refused.', 5)}\n`);
    } else {
      for (const { line, message } of refused.slice(0, maxShown)) this.logToStderr(`${path}:${line}: ${message}`);
      if (refused.length > maxShown) this.logToStderr(`and ${refused.length - maxShown} more.`);
    }
    this.logToStderr(
      `${stored.toLocaleString('en')} ${stored === 1 ? 'event' : 'events'} stored, ${refused.length.toLocaleString('en')} refused.`,
    );
    if (signal.aborted)
      this.logToStderr(`Interrupted: ${(events.length - stored - refused.length).toLocaleString('en')} were not sent.`);
    else if (refused.length > 0) process.exitCode = 5;
    const users = events.flatMap(({ event }) => event.user_id ?? []);
    await this.waitFor(users, waiting, signal);
  }

  protected async waitFor(
    userIds: readonly string[],
    { 'wait-completed': challengeId, timeout = '10s' }: Readonly<Record<keyof typeof waitFlags, string | undefined>>,
    signal: AbortSignal = interruption(),
  ): Promise<void> {
    if (challengeId === undefined) return;
    const of = { projectId: await this.projectId(), challengeId, userIds };
    const open = await notCompleted(this.client, of, { seconds: parseDuration(timeout), signal });
    if (open.length === 0) return this.logToStderr('Completed.');
    this.logToStderr(`Not completed by ${open.slice(0, maxShown).join(', ')}${open.length > maxShown ? ', …' : ''}.`);
    this.checkFailed();
  }
}

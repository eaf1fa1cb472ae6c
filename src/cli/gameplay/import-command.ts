/** Shared part of the commands that send game events and wait for challenges that they complete. */
import { randomUUID } from 'node:crypto';
import * as Flags from '@oclif/core/flags';
import { interrupted, interruption } from '../../terminal/interruption.js';
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

export const againFlag = {
  again: Flags.boolean({ description: 'Count the events of a file again that was imported before' }),
};

type WaitFlags = Readonly<Record<keyof typeof waitFlags, string | undefined>>;

/** Lines of refusals that are printed. */
const maxShown = 20;

export abstract class ImportCommand extends ProjectCommand {
  /** Sends the file. With a challenge, waits for it. */
  protected async importFile(path: string, { again, ...waiting }: WaitFlags & { readonly again?: boolean }) {
    const { events, digest } = await eventsOfFile(path);
    const key = again === true ? randomUUID() : digest;
    const projectId = await this.projectId();
    const [progress, signal] = [new ProgressLine(), interruption()];
    const onProgress = (answered: number): void =>
      progress.show(
        answered,
        events.length,
        `${answered.toLocaleString('en')} of ${events.length.toLocaleString('en')} events`,
      );
    const answer = await importEvents(events, { client: this.client, projectId, signal, onProgress, key }).finally(() =>
      progress.clear(),
    );
    const { stored, refused, nextLine, failure } = answer;
    if (this.common.json === true) {
      this.printJson({ stored, refused, ...(nextLine === null ? {} : { nextLine }) });
      const lines = refused.map((one) => ({ ...one, field: '' }));
      if (refused.length > 0) printErrorData(`${refusedLinesJson(lines, 'These lines are refused.', 5)}\n`);
    } else {
      for (const { line, message } of refused.slice(0, maxShown)) this.logToStderr(`${path}:${line}: ${message}`);
      if (refused.length > maxShown) this.logToStderr(`and ${refused.length - maxShown} more.`);
    }
    this.logToStderr(
      `${stored.toLocaleString('en')} ${stored === 1 ? 'event' : 'events'} stored, ${refused.length.toLocaleString('en')} refused.`,
    );
    if (nextLine !== null) {
      this.logToStderr(
        `Stopped before line ${nextLine}. Import the same file again to continue at line ${nextLine}: events that are stored are not counted twice.`,
      );
      if (failure !== null) throw failure;
      process.exitCode = interrupted;
      return;
    }
    if (refused.length > 0) process.exitCode = 5;
    const users = events.flatMap(({ event }) => event.user_id ?? []);
    await this.waitFor(users, waiting, signal);
  }

  protected async waitFor(
    userIds: readonly string[],
    { 'wait-completed': challengeId, timeout = '10s' }: WaitFlags,
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

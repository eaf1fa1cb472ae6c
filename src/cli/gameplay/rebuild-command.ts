/** Shared parts of the commands that rebuild a leaderboard: they wait for the daemon, which works in the background. */
import { setTimeout as sleep } from 'node:timers/promises';
import * as Args from '@oclif/core/args';
import * as Flags from '@oclif/core/flags';
import {
  type LeaderboardRebuild,
  leaderboardRebuildRoutes,
  type RebuildStatus,
} from '../../contract/gameplay/leaderboard-rebuilds.js';
import { interruption } from '../../terminal/interruption.js';
import { ProgressLine } from '../../terminal/progress.js';
import { ProjectCommand } from '../command/command.js';
import { nameArgument } from '../names/kinds.js';
import { looked } from '../terminal/live/poll.js';
import { rebuildView } from './leaderboard-view.js';

export interface RebuildParams {
  readonly projectId: string;
  readonly id: string;
  readonly rebuildId: string;
}

const everyMs = 300;
const underWay: Readonly<Record<string, string>> = {
  counting: 'counting the events again',
  applying: 'applying',
  undoing: 'restoring the scores from before',
};

export const detach = Flags.boolean({ description: 'Do not wait; `leaderboards get-rebuild` shows how far it is' });

export abstract class WaitingForRebuild extends ProjectCommand {
  /** The rebuild once nothing of it is under way any more; an interruption leaves it to the daemon. */
  protected async ended(params: RebuildParams, begun: LeaderboardRebuild): Promise<LeaderboardRebuild> {
    const [progress, signal] = [new ProgressLine(), interruption()];
    let rebuild = begun;
    try {
      for (;;) {
        const doing = underWay[rebuild.status];
        if (doing === undefined) return rebuild;
        const events = rebuild.events === 0 ? '' : `, ${rebuild.events.toLocaleString('en')} events`;
        progress.show(rebuild.progress, 1, `${Math.floor(rebuild.progress * 100)} %  ${doing}${events}`);
        await sleep(everyMs, undefined, { signal }).catch(() => {});
        if (signal.aborted) break;
        const readRebuild = () => this.client.call(leaderboardRebuildRoutes.get, { params });
        rebuild =
          (await looked(readRebuild, signal, (line) => line !== null && progress.show(rebuild.progress, 1, line))) ??
          rebuild;
      }
    } finally {
      progress.clear();
    }
    const names = `${params.id} ${params.rebuildId}`;
    this.logToStderr(
      `The daemon continues. leaderboards get-rebuild ${names} shows the progress, leaderboards cancel-rebuild ${names} cancels it.`,
    );
    return rebuild;
  }

  protected print(rebuild: LeaderboardRebuild): void {
    if (this.common.json === true) this.printJson(rebuild);
    else this.log(rebuildView(rebuild, this.screen));
  }

  /** Exit code 5 where it has ended, but not as it was wanted. */
  protected refuseUnless(wanted: RebuildStatus, { failure, status }: LeaderboardRebuild): void {
    if (status === wanted || underWay[status] !== undefined) return;
    this.logToStderr(
      failure === null
        ? `The rebuild is ${status}, not ${wanted}: it was cancelled or changed in the meantime.`
        : `The daemon could not do it: ${failure}.`,
    );
    process.exitCode = 5;
  }
}

export abstract class RebuildCommand extends WaitingForRebuild {
  static override examples = ['<%= config.bin %> <%= command.id %> LEADERBOARD REBUILD'];
  static override args = {
    leaderboard: nameArgument('leaderboard'),
    rebuild: Args.string({ required: true, description: 'Rebuild id' }),
  };

  /** The status that is waited for; null: the answer is all there is to wait for. */
  protected readonly wanted: RebuildStatus | null = null;
  protected abstract call(params: RebuildParams): Promise<LeaderboardRebuild>;

  async run(): Promise<void> {
    const { args, flags } = await this.input(RebuildCommand);
    const params = { projectId: await this.projectId(), id: args.leaderboard, rebuildId: args.rebuild };
    const begun = await this.call(params);
    const isDetached = 'detach' in flags && flags.detach === true;
    if (this.wanted === null || isDetached) return this.print(begun);
    const rebuild = await this.ended(params, begun);
    this.print(rebuild);
    this.refuseUnless(this.wanted, rebuild);
  }
}

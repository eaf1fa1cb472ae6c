/** Shared part of the commands that give a player a battle pass, or its premium track, and note what was paid. */
import { battlePassProgressRoutes, Purchase } from '../../contract/gameplay/battle-pass-progress.js';
import { ProjectCommand } from '../command/command.js';
import { nameArgument } from '../names/kinds.js';
import { flagsFor, requestFrom } from '../typed/fields.js';

export abstract class PassPurchaseCommand extends ProjectCommand {
  static override args = { user: nameArgument('player'), pass: nameArgument('battlePass') };
  static override flags = flagsFor(Purchase);

  protected abstract readonly operation: 'unlock' | 'premium';
  /** Fields of the answer to show. */
  protected abstract readonly columns: string[];

  async run(): Promise<void> {
    const { args, flags } = await this.input(PassPurchaseCommand);
    const params = { projectId: await this.projectId(), userId: args.user, id: args.pass };
    const body = requestFrom(Purchase, flags);
    this.show(await this.client.call(battlePassProgressRoutes[this.operation], { params, body }), this.columns);
  }
}

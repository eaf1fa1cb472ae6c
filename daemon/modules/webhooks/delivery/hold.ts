/**
 * After a restore elsewhere deliveries wait until the operator says go: the machine of the backup may still run, and would
 * send the same ones.
 */
import { existsSync, rmSync } from 'node:fs';
import type { Probe } from '../../../platform/observability/health.js';

export class DeliveryHold {
  private held: boolean;

  /** @param file that `earshotd restore` leaves */
  constructor(private readonly file: string) {
    this.held = existsSync(file);
  }

  get isHeld(): boolean {
    return this.held;
  }

  /** Returns false where nothing was held. */
  release(): boolean {
    const wasHeld = this.held;
    rmSync(this.file, { force: true });
    this.held = false;
    return wasHeld;
  }

  readonly probe: Probe = {
    part: 'webhooks',
    isWarning: true,
    check: () => (this.held ? 'wait since a restore; `earshotd webhooks release` sends them' : null),
  };
}

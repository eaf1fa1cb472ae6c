/** A state in which somebody has to act: the log has one line when it begins, at `error`, and one when it has ended. */
import type { Logger } from './logger.js';

export class TroubleReport {
  private current: object | null = null;

  constructor(
    private readonly log: Pick<Logger, 'error' | 'info'>,
    private readonly sentences: { readonly begins: string; readonly ends: string },
  ) {}

  /** @param fields of the line, which say why; null: everything is well */
  set(fields: object | null): void {
    if (this.current === null && fields !== null) this.log.error(fields, this.sentences.begins);
    if (this.current !== null && fields === null) this.log.info(this.current, this.sentences.ends);
    if (this.current === null || fields === null) this.current = fields;
  }
}

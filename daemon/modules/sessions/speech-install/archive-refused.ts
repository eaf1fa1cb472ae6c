/** Refused or impossible; `message` says why, `remedy` what to do. */
export class ArchiveRefused extends Error {
  constructor(
    message: string,
    readonly remedy: string,
  ) {
    super(message);
  }
}

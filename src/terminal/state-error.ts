/** Refusals of a command that is written correctly: what it needs is not there, or what is there stands against it. */

/** Exit codes by the code of the error: 4 for what is not there, 5 for what forbids the act. */
const exitCodes = {
  no_project: 4,
  profile_not_found: 4,
  queue_empty: 4,
  queue_not_yours: 5,
  sanction_not_active: 4,
  sanction_in_force: 5,
  session_ended: 5,
  not_in_room: 4,
  room_not_muted: 4,
  room_not_closed: 4,
  nobody_concerned: 4,
  nothing_to_undo: 4,
  message_not_found: 4,
  debug_audio_not_found: 4,
  person_moved: 5,
  settings_not_found: 4,
  person_required: 5,
  receiver_unreachable: 5,
  port_taken: 5,
  source_unreachable: 5,
  source_refused: 5,
  source_unreadable: 5,
} as const;
type StateCode = keyof typeof exitCodes;

/** The state of the daemon, of a profile or of this machine does not allow it; exit code 4 or 5. */
export class StateError extends Error {
  override name = 'StateError';
  readonly exitCode: 4 | 5;
  /** With --json, the ids of what it is about. */
  readonly details: readonly { readonly path: string; readonly message: string }[];

  /** `ids`: one or several ids by the name of their field. */
  constructor(
    readonly code: StateCode,
    message: string,
    ids: Readonly<Record<string, string | readonly string[]>> = {},
  ) {
    super(message);
    this.exitCode = exitCodes[code];
    this.details = Object.entries(ids).flatMap(([path, of]) => [of].flat().map((id) => ({ path, message: id })));
  }
}

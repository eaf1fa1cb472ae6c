/** A player of a project. */
export interface PlayerKey {
  readonly projectId: string;
  readonly userId: string;
}

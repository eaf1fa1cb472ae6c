/** A person who gets another external user id. */
export interface MovingPerson {
  readonly projectId: string;
  /** Id of the participant, who keeps it. */
  readonly id: string;
  readonly from: string;
  readonly to: string;
  /** The participant who had the new external user id before and is joined with this one; null: there is none. */
  readonly joinedId: string | null;
}

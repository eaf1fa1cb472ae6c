/** Looks up resources of one kind by the names that people use. */
import type { EarshotClient } from '../../client/earshot-client.js';
import type { Candidate } from './candidates.js';

export interface Lookup {
  readonly client: EarshotClient;
  readonly projectId: () => Promise<string>;
  /** People are named by their ids only, never by display name. */
  readonly takesIdsAlone?: boolean | undefined;
}

export interface Source {
  /** Noun in messages such as "There is no session …". */
  readonly noun: string;
  /** Shows what there is. */
  readonly command: string;
  readonly find: (lookup: Lookup, typed: string) => Promise<readonly Candidate[]>;
  /** Found by the external id of a person: what was typed is their name. */
  readonly isOfPerson?: true;
  /** Candidates to suggest when nothing fits; default: what `find` found. */
  readonly near?: (lookup: Lookup, typed: string) => Promise<readonly Candidate[]>;
}

/** Looks for whatever has the name, and asks each what is wrong with it. */

import { isOutOfSight, noneWhere } from '../command/refusals.js';
import type { Lookup } from '../names/lookup.js';
import { examineBoards } from './boards.js';
import type { Examined } from './finding.js';
import { examineGatherings, examinePeople } from './people.js';
import { examineRoom } from './rooms.js';
import { examineWebhooks } from './webhooks.js';

const examiners = [examineRoom, examineWebhooks, examineGatherings, examinePeople, examineBoards];

export async function examineEverything(lookup: Lookup, typed: string): Promise<Examined[]> {
  // The project first: otherwise each would look for it.
  await lookup.projectId();
  const parts = await Promise.all(examiners.map((examine) => examine(lookup, typed).catch(noneWhere(isOutOfSight))));
  return parts.flat();
}

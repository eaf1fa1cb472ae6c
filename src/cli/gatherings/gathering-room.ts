/** Finds the voice room of a gathering. */
import type { EarshotClient } from '../../client/earshot-client.js';
import { gatheringRoutes } from '../../contract/gatherings/gatherings.js';

export const roomOfGathering = async (client: EarshotClient, projectId: string, id: string): Promise<string> =>
  (await client.call(gatheringRoutes.get, { params: { projectId, id } })).roomId;

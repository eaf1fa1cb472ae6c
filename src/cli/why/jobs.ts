/** Background work on a project that was set aside, because the daemon crashed twice during it. */
import { type InterruptedJob, projectJobRoutes } from '../../contract/projects/jobs.js';
import { isClosed, noneWhere } from '../command/refusals.js';
import type { Lookup } from '../names/lookup.js';
import { bad, type Finding } from './finding.js';

const lost: Record<InterruptedJob['job'], string> = {
  rules: 'Rules judge nothing',
  plugins: 'Plugins are run on nothing new',
  'webhook-backlog': 'A webhook is not sent the events of some large changes',
};

export const setAsideSentence = ({ job }: Pick<InterruptedJob, 'job'>): string =>
  `${lost[job]}: that was set aside, because the daemon crashed twice during it`;

/** `isMeant`: the work has to do with what somebody asks about. */
export async function findJobs(
  { client, projectId }: Lookup,
  isMeant: (job: InterruptedJob) => boolean,
): Promise<Finding[]> {
  const params = { projectId: await projectId() };
  const jobs = await client.call(projectJobRoutes.list, { params }).catch(noneWhere(isClosed));
  return jobs
    .filter((one) => one.setAside && isMeant(one))
    .map((one) => bad(`${setAsideSentence(one)}.`, `earshot jobs resume ${one.job}`));
}

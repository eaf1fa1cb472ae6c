/** Thresholds of a project that have no effect, because the recogniser states no such number about what it writes. */
import type { UpdateAppSettingsRequest } from '../contract/projects/settings.js';
import { type AsrReport, sessionRoutes } from '../contract/sessions/sessions.js';
import type { EarshotClient } from './earshot-client.js';

/** In so many of the newest sessions a spoken line is looked for, and in so many lines of each. */
const sessionsMax = 5;
const linesMax = 200;

/** What the recogniser states of a line, by the threshold for it. */
const stated = { speechConfidenceMin: 'confidence', noSpeechProbabilityMax: 'noSpeechProbability' } as const;
const names = ['speechConfidenceMin', 'noSpeechProbabilityMax'] as const;

interface IdleThreshold {
  readonly setting: (typeof names)[number];
  /** What wrote the last line. */
  readonly engine: string;
}

/** Those of what was set, by the last line of the project; none where nobody has spoken, or the caller may not read lines. */
export async function idleThresholds(
  client: EarshotClient,
  projectId: string,
  set: Pick<UpdateAppSettingsRequest, (typeof names)[number]>,
): Promise<IdleThreshold[]> {
  const asked = names.filter((setting) => typeof set[setting] === 'number');
  if (asked.length === 0) return [];
  const asr = await lastReport(client, projectId).catch(() => null); // it is set; a warning is not worth an error
  if (asr === null) return [];
  return asked.flatMap((setting) => (asr[stated[setting]] === null ? [{ setting, engine: asr.engine }] : []));
}

async function lastReport(client: EarshotClient, projectId: string): Promise<AsrReport | null> {
  const sessions = await client.call(sessionRoutes.list, { params: { projectId }, query: { limit: sessionsMax } });
  for (const { id } of sessions) {
    const lines = await client.call(sessionRoutes.messages, { params: { projectId, id }, query: { limit: linesMax } });
    const spoken = lines.findLast(({ asr }) => asr !== null);
    if (spoken !== undefined) return spoken.asr;
  }
  return null;
}

/** The plugin `summary`: what a session was about, when it ends or when somebody asks. */
import { z } from 'zod';
import type { DomainEvent } from '../../../../src/contract/events.js';
import { Session } from '../../../../src/contract/sessions/sessions.js';
import { type PluginRun, type RunnablePlugin, Skip } from '../plugin.js';
import { type Line, mainLines } from './extract.js';
import { callModel, type ModelTransport, modelSettings } from './model-call.js';
import { summarySlug } from './replacing.js';
import { settingsSchema } from './settings-schema.js';

/** Type of its annotations. */
export const summaryType = 'summary';

const Settings = z.object({
  lines: z.int().min(1).max(20).default(5).describe('Lines of a summary without a model'),
  baseUrl: modelSettings.baseUrl
    .optional()
    .describe("Base URL of a service with OpenAI's API; default: no model is used"),
  apiKey: modelSettings.apiKey,
  repeatUnanswered: modelSettings.repeatUnanswered,
  model: z.string().min(1).max(200).default('gpt-4o-mini').describe('Model of that service'),
  instructions: z
    .string()
    .min(1)
    .max(2000)
    .default('Summarise this conversation of players in at most five sentences. Name decisions and conflicts.')
    .describe('Instructions for the model'),
});

/** Lines that are read of a session: the last. */
const linesMax = 2_000;
/** Characters that a model gets; of a longer conversation the end. */
const charactersMax = 48_000;
const textMax = 8_000;

interface SpokenSessions {
  linesOf(projectId: string, sessionId: string, limit: number): Promise<readonly Line[]>;
}

const Completion = z.object({
  choices: z.array(z.object({ message: z.object({ content: z.string().min(1) }) })).min(1),
});

/** A session that has just ended. */
const hasEnded = (event: DomainEvent): boolean =>
  Session.safeParse(event.payload.data).data?.status === 'ended' && event.payload.changes?.status === 'active';

const asText = (lines: readonly Line[]): string =>
  lines.map(({ senderName, content }) => `${senderName}: ${content}`).join('\n');

async function byModel(
  outbound: ModelTransport,
  { actionId: id }: PluginRun,
  { baseUrl = '', apiKey, repeatUnanswered, model, instructions }: z.infer<typeof Settings>,
  lines: readonly Line[],
): Promise<string> {
  const messages = [
    { role: 'system', content: instructions },
    { role: 'user', content: asText(lines).slice(-charactersMax).toWellFormed() },
  ];
  const call = { baseUrl, path: '/chat/completions', apiKey, repeatUnanswered, id, body: { model, messages } };
  const answer = await callModel(outbound, call, Completion);
  return answer.choices[0]?.message.content ?? '';
}

export const summaryPlugin = (sessions: SpokenSessions, outbound: ModelTransport): RunnablePlugin => ({
  manifest: {
    slug: summarySlug,
    name: 'Summary',
    description:
      'Annotates a session with its summary when it ends. With an OpenAI-compatible model, that model writes it from the names and texts of the transcript. Without one, it quotes the lines that share the most words with the rest; it cannot condense, and a conversation of short lines gives a poor summary.',
    version: '1.0.0',
    kind: 'session',
    events: ['session.updated'],
    settingsSchema: settingsSchema(Settings),
    defaultSettings: Settings.parse({}),
  },
  replaces: [summaryType],
  async run(run) {
    const { event, projectId, sessionId, settings: given } = run;
    if (event !== null && !hasEnded(event)) throw new Skip('the session has not just ended');
    const settings = Settings.parse(given);
    const lines = await sessions.linesOf(projectId, sessionId ?? '', linesMax);
    if (lines.length === 0) throw new Skip('nothing was said or written in the session');
    const isModel = settings.baseUrl !== undefined;
    const text = isModel ? await byModel(outbound, run, settings, lines) : asText(mainLines(lines, settings.lines));
    if (text === '') throw new Skip('no line of the session is long enough to quote');
    const content = {
      text: text.slice(0, textMax).toWellFormed(),
      by: isModel ? settings.model : 'extract',
      lines: lines.length,
    };
    return [{ type: summaryType, content, ...(sessionId === null ? {} : { sessionId }) }];
  },
});

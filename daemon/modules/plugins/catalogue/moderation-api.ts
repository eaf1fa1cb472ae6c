/** The plugin `moderation-api`: asks an OpenAI-compatible moderation endpoint about each message. */
import { z } from 'zod';
import { type RunnablePlugin, Skip } from '../plugin.js';
import { messageIn } from './message-in.js';
import { callModel, type ModelTransport, modelSettings } from './model-call.js';
import { settingsSchema } from './settings-schema.js';

const Settings = z.object({
  ...modelSettings,
  model: z.string().min(1).max(200).default('omni-moderation-latest').describe('Model of the service'),
  annotate: z.enum(['flagged', 'all']).default('flagged').describe('Which messages get an annotation'),
});

const Moderation = z.object({
  model: z.string().optional(),
  results: z
    .array(
      z.object({
        flagged: z.boolean(),
        categories: z.record(z.string(), z.boolean().nullable()),
        category_scores: z.record(z.string(), z.number().nullable()),
      }),
    )
    .min(1),
});

const rounded = (score: number): number => Math.round(score * 10_000) / 10_000;
const categoriesMax = 50;

export const moderationApi = (outbound: ModelTransport): RunnablePlugin => ({
  manifest: {
    slug: 'moderation-api',
    name: 'Moderation API',
    description:
      "Sends the text of each message, and nothing else, to a moderation endpoint with OpenAI's API (POST /moderations), and annotates the message with its categories and scores. It is as good as that service. If the service cannot be reached or answers 408, 429 or 5xx, the call is retried up to four times within a quarter of an hour. If it gives no answer within 60 seconds, the call is retried only with repeatUnanswered, because the service may charge for each call.",
    version: '1.0.0',
    kind: 'message',
    events: ['message.created'],
    settingsSchema: settingsSchema(Settings),
    defaultSettings: {
      model: Settings.shape.model.parse(undefined),
      annotate: Settings.shape.annotate.parse(undefined),
      repeatUnanswered: Settings.shape.repeatUnanswered.parse(undefined),
    },
  },
  async run({ event, settings, actionId: id }) {
    const { content: input } = messageIn(event);
    const { model, annotate, ...service } = Settings.parse(settings);
    const call = { ...service, path: '/moderations', id, body: { model, input } };
    const [result] = (await callModel(outbound, call, Moderation)).results;
    if (result === undefined || (!result.flagged && annotate === 'flagged')) throw new Skip('it was not flagged');
    const categories = Object.entries(result.categories).flatMap(([name, isSet]) => (isSet === true ? [name] : []));
    const scores = Object.entries(result.category_scores).flatMap(([name, score]) =>
      score === null ? [] : [[name, rounded(score)] as const],
    );
    const content = {
      flagged: result.flagged,
      categories: categories.slice(0, categoriesMax),
      scores: Object.fromEntries(scores.slice(0, categoriesMax)),
      model,
    };
    return [{ type: 'moderation', content }];
  },
});

/** The plugin `toxicity`: what is toxic in a message, by word lists and rules. Works offline. */
import { withoutRegion } from '../../../../src/contract/language.js';
import { FairTurns } from '../../../platform/limits/fair-turns.js';
import { Rests } from '../../../platform/turns/rests.js';
import { type RunnablePlugin, Skip } from '../plugin.js';
import { messageIn } from './message-in.js';
import { settingsSchema } from './settings-schema.js';
import { ToxicityMatcher } from './toxicity/matcher.js';
import { ToxicitySettings } from './toxicity/settings.js';

export function toxicity(): RunnablePlugin {
  const turns = new FairTurns('toxicity_scores');
  const rests = new Rests();
  let matcher: ToxicityMatcher | null = null; // its lists are read with the first message
  return {
    manifest: {
      slug: 'toxicity',
      name: 'Toxicity',
      description:
        'Marks insults, slurs, harassment, sexual remarks and swearing in messages, and words that the project lists, with a score from 0 to 1 and the place of each. Reads English, disguised spellings such as f.u.c.k, and typical misrecognitions of insults; it understands neither irony nor context, and in lines that the recogniser takes for another language finds only the words of the project.',
      version: '1.0.0',
      kind: 'message',
      events: ['message.created'],
      settingsSchema: settingsSchema(ToxicitySettings),
      defaultSettings: ToxicitySettings.parse({}),
    },
    async run({ event, settings: given, tenantId }) {
      const { content, origin, language } = messageIn(event);
      const settings = inLanguage(ToxicitySettings.parse(given), language);
      const judged = async () => {
        matcher ??= new ToxicityMatcher();
        return matcher.judge(content, origin === 'speech' ? 'speech' : 'text', settings);
      };
      await rests.over(tenantId);
      const found = await turns.run(tenantId, () => rests.after(tenantId, judged));
      if (found.spans.length === 0) throw new Skip('nothing toxic was found');
      if (found.score < settings.threshold) throw new Skip('the score is below the threshold');
      const spans = found.spans.map((span) => ({ ...span }));
      return [{ type: 'toxicity', content: { score: found.score, categories: [...found.categories], spans } }];
    },
  };
}

const base = (language: string): string => withoutRegion(language.toLowerCase());

/** The settings for a line of that language: its own words of the project, and the English lists for English alone. */
function inLanguage(settings: ToxicitySettings, language: string | null): ToxicitySettings {
  const isRead = (other: string) => language === null || base(language) === base(other);
  const own = Object.entries(settings.wordsIn).flatMap(([other, words]) => (isRead(other) ? words : []));
  return { ...settings, categories: isRead('en') ? settings.categories : [], words: [...settings.words, ...own] };
}

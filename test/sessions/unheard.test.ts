import { describe, expect, it } from 'vitest';
import { HeardUtterances } from '../../daemon/modules/sessions/heard-utterances.js';
import { spokenText } from '../../daemon/modules/sessions/recognisers/spoken-text.js';
import { unheardReason } from '../../daemon/modules/sessions/unheard.js';

const none = { speechConfidenceMin: null, noSpeechProbabilityMax: null };
const clear = {
  confidence: 0.9,
  noSpeechProbability: 0.01,
  signal: { levelDbfs: -20, clippedShare: 0, overlapShare: 0, echo: 0 },
  spokenMs: 8_000,
};
const silent = { ...clear, signal: { ...clear.signal, levelDbfs: -55 } };
const again = (text: string, times: number) => Array(times).fill(text).join(' ');

/** As people who run Whisper have reported them, by language. */
const credits = {
  English: ['Subtitles by the Amara.org community', 'Transcription by CastingWords', ' www.mooji.org'],
  Dutch: ['Ondertitels ingediend door de Amara.org gemeenschap', 'Ondertiteling door de Amara.org gemeenschap'],
  German: [
    ...['Untertitelung aufgrund der Amara.org-Community', 'Untertitelung im Auftrag des ZDF, 2021', 'SWR 2021'],
    ...['Untertitel von Stephanie Geiges', 'Copyright WDR 2019', 'Untertitel im Auftrag des ZDF für funk, 2018'],
  ],
  French: [
    ...["Sous-titres réalisés para la communauté d'Amara.org", "Sous-Titres faits par la communauté d'Amara.org"],
    ...["Sous-titrage ST' 501", "Sous-titrage ST'501", "Sous-titres par l'Amara.org", '❤️ par SousTitreur.com'],
    ...["Cliquez-vous sur les sous-titres et abonnez-vous à la chaîne d'Amara.org"],
  ],
  Italian: ['Sottotitoli e revisione a cura di QTSS.', 'Sottotitoli e revisione al canale di Amara.org'],
  Spanish: ['Subtítulos en español de Amara.org', 'Subtitulado por la comunidad de Amara.org'],
  Portuguese: ['Transcrição e Legendas pela comunidade de Amara.org', 'Legendas pela comunidade do Amara.org'],
  Polish: ['Zdjęcia i napisy stworzone przez społeczność Amara.org', 'Napisy robione przez społeczność Amara.org'],
  Russian: [
    ...['Редактор субтитров А.Синецкая Корректор А.Егорова', 'Редактор субтитров А.Семкин Корректор А.Егорова'],
    ...['Добавил субтитры DimaTorzok', 'Субтитры подогнал «Симон»'],
  ],
  Ukrainian: ['Субтитрувальниця Оля Шор'],
  Turkish: ['Altyazı M.K.'],
  Norwegian: ['Teksting av Nicolai Winther', 'Undertekster av Ai-Media'],
  Danish: ['Danske tekster af Nicolai Winther', 'Danske tekster af Jesper Buhl Scandinavian Text Service 2018'],
  Swedish: ['Undertexter från Amara.org-gemenskapen', 'Textning Stina Hedin www.btistudios.com'],
  Czech: ['Titulky vytvořil JohnyX.', 'www.hradeckralove.cz'],
  Hungarian: ['Feliratok az Amara.org közösségétől', 'Feliratot készítette Amara.org közössége'],
  Greek: ['Υπότιτλοι AUTHORWAVE'],
  Arabic: ['ترجمة نانسي قنقر'],
  Korean: ['한글자막 by 한효정', 'MBC 뉴스 이덕영입니다.'],
  Vietnamese: ['Hãy subscribe cho kênh Ghiền Mì Gõ Để không bỏ lỡ những video hấp dẫn'],
  Indonesian: ['Sub indo by broth3rmax'],
  'Chinese, simplified': [
    '字幕由Amara.org社区提供',
    '请不吝点赞 订阅 转发 打赏支持明镜与点点栏目',
    '中文字幕志愿者 李宗盛',
  ],
  'Chinese, traditional': [
    '字幕由Amara.org社區提供',
    '請不吝點贊訂閱轉發打賞支持明鏡與點點欄目',
    '由 Amara.org 社群提供的字幕',
  ],
};

describe('credits of subtitles', () => {
  const reported = Object.entries(credits).flatMap(([language, texts]) => texts.map((text) => [language, text]));
  // Whisper often takes another language for them.
  it.each(reported)('in %s are nobody’s words: %s', (_, text = '') => {
    expect(unheardReason(text, 'en', clear, none)).toBe('phantom');
    expect(spokenText(`push the lane. ${text}`)).toMatch(/^push the lane[^\p{L}\p{N}]*$/u);
  });
});

describe('unheardReason', () => {
  it.each([
    ['ordinary speech', 'push the lane', 'en', clear, none, null],
    [
      'a recogniser that states nothing',
      'push',
      null,
      { ...clear, confidence: null, noSpeechProbability: null },
      none,
      null,
    ],
    ['less than the project asks for', 'push', 'en', clear, { ...none, speechConfidenceMin: 0.91 }, 'low_confidence'],
    ['as much as the project asks for', 'push', 'en', clear, { ...none, speechConfidenceMin: 0.9 }, null],
    ['likely silence', 'push', 'en', { ...clear, noSpeechProbability: 0.61 }, none, 'no_speech'],
    ['as much as is allowed', 'push', 'en', { ...clear, noSpeechProbability: 0.6 }, none, null],
    [
      'a stricter project',
      'push',
      'en',
      { ...clear, noSpeechProbability: 0.2 },
      { ...none, noSpeechProbabilityMax: 0.1 },
      'no_speech',
    ],
    ['thanks, well said', 'Thank you.', 'en', clear, none, null],
    ['thanks at silence', 'Thank you.', 'en', silent, none, 'phantom'],
    ['thanks that the recogniser doubts', 'Thank you.', 'english', { ...clear, confidence: 0.3 }, none, null],
    ['an okay that it doubts', 'Okay.', 'en', { ...clear, confidence: 0.1 }, none, null],
    ['thanks within a sentence at silence', 'thank you for the heal', 'en', silent, none, null],
    ['a credit', 'Untertitel im Auftrag des ZDF für funk, 2017', 'de', clear, none, 'phantom'],
    ['a credit twice', again('Untertitelung des ZDF, 2020', 2), 'de', clear, none, 'phantom'],
    ['a credit that hides an insult', 'copyright wdr you are all badwords, every one of you', 'de', clear, none, null],
    ['a credit without a known language', 'Subtitles by the Amara.org community', null, clear, none, 'phantom'],
    ['a German phantom in English', 'Vielen Dank.', 'en', silent, none, null],
    ['Japanese at silence', 'ご視聴ありがとうございました。', 'ja', silent, none, 'phantom'],
    ['a mark of silence', '[BLANK_AUDIO]', 'en', clear, none, 'phantom'],
    ['marks of sounds', '(wind howling) *coughs* ♪ ...', 'en', clear, none, 'phantom'],
    ['a mark beside words', '[Music] push the lane', 'en', clear, none, null],
    ['a number alone', '18', 'en', clear, none, null],
    ['a loop inside a word', 'ha'.repeat(150), 'en', clear, none, 'phantom'],
    ['Japanese in a loop', 'ごめん'.repeat(60), 'ja', clear, none, 'phantom'],
    ['somebody who shouts a Japanese insult', 'バカ'.repeat(12), 'ja', clear, none, null],
    ['laughter', 'hahahahahahahaha', 'en', clear, none, null],
    ['Norwegian that passes for English', 'Undertekster av Ai-Media', 'en', clear, none, 'phantom'],
    ['thanks in Norwegian at silence', 'Takk for at du så med.', 'norwegian', silent, none, 'phantom'],
    ['thanks in Norwegian, well said', 'Takk for at du så med.', 'no', clear, none, null],
    ['go, go, go', again('go', 8), 'en', silent, none, null],
    ['a word that somebody shouts twelve times', again('badword', 12), 'en', clear, none, null],
    ['a chant of four words', again('get out of here', 4), 'en', clear, none, null],
    ['a loop at silence', again('go', 12), 'en', silent, none, 'repetition'],
    ['a loop that nobody can say so fast', again('go', 60), 'en', clear, none, 'repetition'],
    ['a sentence said three times', again('get to the point now', 3), 'en', silent, none, null],
    ['a sentence in a loop', `so ${again('get to the point now', 4)}`, 'en', silent, none, 'repetition'],
    [
      'a loop as a small part of much else',
      `${again('no', 12)} ${Array.from({ length: 60 }, (_, n) => `w${n}`).join(' ')}`,
      'en',
      silent,
      none,
      null,
    ],
  ] as const)('judges %s', (_, content, language, report, thresholds, expected) => {
    expect(unheardReason(content, language, report, thresholds)).toBe(expected);
  });
});

it('a threshold for a number that the recogniser does not state is warned of once', async () => {
  const warnings: object[] = [];
  const log = { warn: (fields: object) => warnings.push(fields), error: () => {} };
  const thresholds = { speechConfidenceMin: 0.6, noSpeechProbabilityMax: 0.5 };
  const heard = new HeardUtterances(
    { append: async () => ({}) },
    { open: async () => ({ debugAudioEnabled: false, ...thresholds }) },
    { write: async () => null, remove: async () => {} },
    log as never,
  );
  const say = (confidence: number | null) =>
    heard.store(
      { id: 's', projectId: 'p' } as never,
      {
        ...{
          externalUserId: 'ann',
          content: 'push',
          spokenAt: new Date(0),
          status: 'recognised',
          startMs: 0,
          endMs: 900,
        },
        ...{ language: 'en', shadowMuted: false, audio: new Int16Array(1) },
        asr: { ...clear, engine: 'sherpa', quality: 'good', confidence, words: [], alternatives: [] },
      },
      [],
    );
  await say(0.9);
  expect(warnings).toEqual([]);
  await say(null);
  await say(null);
  expect(warnings).toEqual([{ projectId: 'p', engine: 'sherpa', setting: 'speechConfidenceMin' }]);
});

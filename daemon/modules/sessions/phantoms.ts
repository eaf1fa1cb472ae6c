/**
 * Phrases that Whisper models write where nobody spoke: their training included subtitles with credits and greetings.
 * `never`: credits that nobody says in a game; they are most of a line. `atSilence`: phrases that people say, too;
 * as the whole line they count only where the sound or the recogniser speaks against them.
 */
export const phantoms: Readonly<Record<string, { never: readonly string[]; atSilence: readonly string[] }>> = {
  en: {
    never: ['subtitles by the amara.org community', 'transcription by castingwords', 'subtitles by steamteamextra'],
    atSilence: [
      ...[
        'thank you',
        'thanks',
        'thank you very much',
        'thanks for watching',
        'thank you for watching',
        'bye',
        'bye bye',
      ],
      ...[
        'please subscribe',
        'like and subscribe',
        'see you in the next video',
        'see you next time',
        'you',
        'so',
        'okay',
      ],
    ],
  },
  de: {
    never: [
      ...['untertitel der amara.org-community', 'untertitel im auftrag des zdf', 'untertitel von stephanie geiges'],
      ...[
        'untertitelung des zdf',
        'untertitelung aufgrund der audioqualität nicht möglich',
        'swr 2020',
        'copyright wdr',
      ],
    ],
    atSilence: ['vielen dank', 'vielen dank fürs zuschauen', 'danke fürs zuschauen', 'bis zum nächsten mal', 'tschüss'],
  },
  fr: {
    never: [
      ...["sous-titres réalisés par la communauté d'amara.org", "sous-titres réalisés para la communauté d'amara.org"],
      ...['sous-titrage société radio-canada', 'sous-titrage st 501'],
    ],
    atSilence: ['merci', "merci d'avoir regardé cette vidéo", "merci d'avoir regardé", 'au revoir'],
  },
  es: {
    never: ['subtítulos realizados por la comunidad de amara.org', 'subtítulos por la comunidad de amara.org'],
    atSilence: ['gracias', 'gracias por ver el video', 'gracias por ver', 'suscríbete', 'suscríbete al canal'],
  },
  it: {
    never: ['sottotitoli creati dalla comunità amara.org', 'sottotitoli e revisione a cura di qtss'],
    atSilence: ['grazie', 'grazie a tutti', 'grazie per la visione'],
  },
  pt: {
    never: ['legendas pela comunidade amara.org', 'legendas pela comunidade das amara.org'],
    atSilence: ['obrigado', 'obrigado por assistir', 'tchau', 'até a próxima'],
  },
  nl: {
    never: ['ondertitels ingediend door de amara.org gemeenschap', 'ondertiteld door de amara.org gemeenschap'],
    atSilence: ['dank u wel', 'bedankt voor het kijken', 'tot de volgende keer'],
  },
  pl: {
    never: ['napisy stworzone przez społeczność amara.org'],
    atSilence: ['dziękuję', 'dziękuję za uwagę', 'dzięki za oglądanie'],
  },
  ru: {
    never: ['субтитры сделал dimatorzok', 'субтитры создавал dimatorzok', 'редактор субтитров', 'корректор а егорова'],
    atSilence: ['спасибо за просмотр', 'продолжение следует', 'спасибо за внимание', 'до новых встреч'],
  },
  tr: {
    never: ['altyazı m.k'],
    atSilence: ['izlediğiniz için teşekkür ederim', 'abone olmayı unutmayın', 'teşekkürler'],
  },
  ja: {
    never: [],
    atSilence: ['ご視聴ありがとうございました', 'チャンネル登録お願いします', 'おやすみなさい'],
  },
  zh: {
    never: ['由 amara.org 社群提供的字幕', '请不吝点赞 订阅 转发 打赏支持明镜与点点栏目'],
    atSilence: ['谢谢大家', '谢谢观看', '感谢观看'],
  },
  ko: {
    never: [],
    atSilence: ['시청해주셔서 감사합니다', '구독과 좋아요 부탁드립니다', '감사합니다'],
  },
};

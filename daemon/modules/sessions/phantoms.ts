interface PhantomPhrases {
  /** Credits that nobody says in a game; they are taken out of a line, whatever its language is thought to be. */
  readonly never: readonly string[];
  /** Phrases that people say, too; as the whole line they count only where the sound or the recogniser speaks against them. */
  readonly atSilence: readonly string[];
}

const norwegian: PhantomPhrases = {
  never: ['teksting av nicolai winther', 'undertexter av nicolai winther', 'undertekster av ai-media'],
  atSilence: ['takk for at du så med', 'takk for at du så på', 'takk for meg'],
};
const chinese: PhantomPhrases = {
  never: [
    ...['由 amara.org 社群提供的字幕', '字幕由 amara.org 社区提供', '字幕由 amara.org 社區提供'],
    ...['请不吝点赞 订阅 转发 打赏支持明镜与点点栏目', '請不吝點贊 訂閱 轉發 打賞支持明鏡與點點欄目'],
    ...['中文字幕志愿者 李宗盛', '中文字幕志願者 李宗盛', '字幕志愿者 杨茜茜', '字幕志願者 楊茜茜'],
    ...['优优独播剧场 yoyo television series exclusive', '優優獨播劇場 yoyo television series exclusive'],
  ],
  atSilence: ['谢谢大家', '謝謝大家', '谢谢观看', '謝謝觀看', '感谢观看', '感謝觀看'],
};

/** Phrases that Whisper models write where nobody spoke: their training included subtitles with credits and greetings. */
export const phantoms: Readonly<Record<string, PhantomPhrases>> = {
  en: {
    never: [
      ...['subtitles by the amara.org community', 'transcription by castingwords', 'subtitles by steamteamextra'],
      ...['www.mooji.org'],
    ],
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
      ...[
        'untertitel der amara.org-community',
        'untertitel im auftrag des zdf für funk',
        'untertitel im auftrag des zdf',
        'untertitel von stephanie geiges',
        'untertitelung aufgrund der amara.org-community',
        'untertitelung im auftrag des zdf für funk',
        'untertitelung im auftrag des zdf',
      ],
      ...[
        'untertitelung des zdf',
        'untertitelung aufgrund der audioqualität nicht möglich',
        'swr 2020',
        'swr 2021',
        'copyright wdr',
      ],
    ],
    atSilence: ['vielen dank', 'vielen dank fürs zuschauen', 'danke fürs zuschauen', 'bis zum nächsten mal', 'tschüss'],
  },
  fr: {
    never: [
      ...["sous-titres réalisés par la communauté d'amara.org", "sous-titres réalisés para la communauté d'amara.org"],
      ...["sous-titres réalisés pour la communauté d'amara.org", "sous-titres faits par la communauté d'amara.org"],
      ...["sous-titres fait par la communauté d'amara.org", "sous-titres par la communauté d'amara.org"],
      ...[
        "sous-titres réalisés par la communauté de l'amara.org",
        "sous-titres réalisés par les soustitres d'amara.org",
      ],
      ...['sous-titres fait par sous-titres par amara.org', "sous-titres par l'amara.org", 'sous-titres par amara.org'],
      ...["cliquez-vous sur les sous-titres et abonnez-vous à la chaîne d'amara.org", 'par soustitreur.com'],
      ...['sous-titrage société radio-canada', 'sous-titrage st 501'],
    ],
    atSilence: ['merci', "merci d'avoir regardé cette vidéo", "merci d'avoir regardé", 'au revoir'],
  },
  es: {
    never: [
      ...['subtítulos realizados por la comunidad de amara.org', 'subtítulos por la comunidad de amara.org'],
      ...['subtítulos creados por la comunidad de amara.org', 'subtítulos hechos por la comunidad de amara.org'],
      ...['subtitulado por la comunidad de amara.org', 'subtítulos en español de amara.org'],
      ...['más información www.alimmenta.com'],
    ],
    atSilence: ['gracias', 'gracias por ver el video', 'gracias por ver', 'suscríbete', 'suscríbete al canal'],
  },
  it: {
    never: [
      ...['sottotitoli creati dalla comunità amara.org', 'sottotitoli e revisione a cura di qtss'],
      ...['sottotitoli e revisione a cura di amara.org', 'sottotitoli e revisione al canale di amara.org'],
      ...['sottotitoli di sottotitoli di amara.org', 'sottotitoli a cura di qtss'],
    ],
    atSilence: ['grazie', 'grazie a tutti', 'grazie per la visione'],
  },
  pt: {
    never: [
      ...['transcrição e legendas pela comunidade de amara.org', 'legendas pela comunidade amara.org'],
      ...['legendas pela comunidade de amara.org', 'legendas pela comunidade do amara.org'],
      ...['legendas pela comunidade das amara.org'],
    ],
    atSilence: ['obrigado', 'obrigado por assistir', 'tchau', 'até a próxima'],
  },
  nl: {
    never: [
      ...['ondertitels ingediend door de amara.org gemeenschap', 'ondertiteld door de amara.org gemeenschap'],
      ...['ondertiteling door de amara.org gemeenschap'],
    ],
    atSilence: ['dank u wel', 'bedankt voor het kijken', 'tot de volgende keer'],
  },
  pl: {
    never: [
      ...['tłumaczenie i napisy stworzone przez społeczność amara.org', 'napisy stworzone przez społeczność amara.org'],
      ...['zdjęcia i napisy stworzone przez społeczność amara.org', 'napisy wykonane przez społeczność amara.org'],
      ...['napisy stworzone przez społeczności amara.org', 'napisy robione przez społeczność amara.org'],
      ...['tłumaczenie stworzone przez społeczność amara.org', 'www.multi-moto.eu'],
    ],
    atSilence: ['dziękuję', 'dziękuję za uwagę', 'dzięki za oglądanie'],
  },
  ru: {
    never: [
      'субтитры сделал dimatorzok',
      'субтитры создавал dimatorzok',
      'субтитры делал dimatorzok',
      'субтитры добавил dimatorzok',
      'добавил субтитры dimatorzok',
      'субтитры подогнал симон',
      'редактор субтитров а семкин',
      'редактор субтитров а синецкая',
      'редактор субтитров',
      'корректор а егорова',
    ],
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
  zh: chinese,
  yue: chinese,
  ko: {
    never: ['한글자막 by 한효정', 'mbc 뉴스 이덕영입니다', 'mbc 뉴스 김성현입니다'],
    atSilence: ['시청해주셔서 감사합니다', '구독과 좋아요 부탁드립니다', '감사합니다'],
  },
  no: norwegian,
  nb: norwegian,
  nn: norwegian,
  da: {
    never: [
      ...['danske tekster af nicolai winther', 'undertekster af nicolai winther', 'undertekster af ai-media'],
      ...['danske tekster af jesper buhl scandinavian text service', 'undertekster af amara.org-fællesskabet'],
    ],
    atSilence: ['tak', 'tak fordi du så med', 'tak fordi i så med', 'vi ses'],
  },
  sv: {
    never: [
      ...['undertexter från amara.org-gemenskapen', 'undertexter av amara.org-gemenskapen', 'svensktextning.nu'],
      ...['undertexter av ai-media', 'textning stina hedin www.btistudios.com'],
    ],
    atSilence: ['tack', 'tack för att ni tittade', 'tack för att du tittade', 'hej då'],
  },
  cs: {
    never: ['titulky vytvořil johnyx', 'titulky vytvořil jirka kováč', 'www.hradeckralove.cz'],
    atSilence: ['děkuji', 'děkujeme za pozornost', 'děkuji za pozornost', 'děkuji za sledování'],
  },
  hu: {
    never: ['feliratok az amara.org közösségétől', 'feliratot készítette amara.org közössége'],
    atSilence: ['köszönöm, hogy megnézted', 'köszönöm, hogy megnézted a videót', 'köszönöm a figyelmet'],
  },
  uk: {
    never: ['субтитрувальниця оля шор'],
    atSilence: ['дякую за перегляд', 'дякую за увагу', 'підписуйтесь на наш канал'],
  },
  vi: {
    never: [
      'hãy subscribe cho kênh ghiền mì gõ để không bỏ lỡ những video hấp dẫn',
      'hãy subscribe cho kênh la la school để không bỏ lỡ những video hấp dẫn',
    ],
    atSilence: ['cảm ơn các bạn đã theo dõi', 'cảm ơn các bạn đã theo dõi và hẹn gặp lại'],
  },
  id: {
    never: ['sub indo by broth3rmax'],
    atSilence: ['terima kasih', 'terima kasih telah menonton', 'terima kasih sudah menonton'],
  },
  el: {
    never: ['υπότιτλοι authorwave'],
    atSilence: ['σας ευχαριστώ', 'ευχαριστώ', 'ευχαριστώ που παρακολουθήσατε', 'ευχαριστώ που με παρακολουθήσατε'],
  },
  ar: {
    never: ['ترجمة نانسي قنقر', 'ترجمة نانسي قنقور'],
    atSilence: ['اشتركوا في القناة', 'شكرا على المشاهدة', 'شكرا', 'شكرا لكم'],
  },
};

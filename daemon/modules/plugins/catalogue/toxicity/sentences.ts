/**
 * Words that are toxic only with others: "you are trash" insults, "take out the trash" does not. Written for
 * `phrases.ts`; `^` is the beginning of the text, and `$` its end.
 */
import type { ToxicityCategory } from './settings.js';

type Sentences = Readonly<Record<ToxicityCategory, readonly string[]>>;

const people =
  'team|teams|teammate|teammates|healer|healers|support|supports|suport|tank|tanks|jungler|guy|guys|kid|kids|dude|player|players|' +
  'carry|captain|goalie|sniper|squad|clan|family|mates|mate|bot|bots|noob|noobs|gamer|person|people|streamer|leader|driver';

export const lists = {
  people,
  you: 'you|u|ya|youre|ur|yall|youll',
  are: 'are|r|re|is|were|was|look|sound|looks|sounds|play|plays|being|be',
  very:
    'so|such|just|a|an|all|all|total|totally|complete|completely|absolute|absolutely|fucking|freaking|really|very|too|the|big|huge|' +
    'fuckin|literally|always|utter|utterly|pretty|like|as|bunch|of|another|being|most|this|that|damn|bloody|little|stupid|dumb|fat|ugly|pathetic|useless|worthless|lazy|silly|filthy|dirty|disgusting|absolut|old|ignorant|complet|kind|one|actual|proper|real',
  /** Somebody who is called this is insulted. */
  names:
    'clown|clowns|freak|freaks|creep|creeps|pig|pigs|cow|donkey|monkey|monkeys|rat|rats|snake|disgrace|joke|embarrassment|coward|' +
    'cowards|crybaby|fool|fools|animal|animals|scum|trash|garbage|failure|disease|parasite|leech|peasant|cripple|dyke|lesbo|homo|' +
    'ape|vermin|maggot|cockroach|weirdo|pervert|perv|pedo|rapist|nazi|psycho|simpleton|waste',
  hard: 'stupid|dumb|ugly|fat|filthy|dirty|disgusting|pathetic|useless|worthless|lazy|silly|braindead|fucking|ignorant|sad|talentless|clueless',
  mother: 'mother|mom|mum|mama|family|parents|dad|father|sister|brother|kids|children|team|dog',
};

export const toxicSentences: Sentences = {
  insult: [
    '@you are|r|re|look|sound @very* trash|garbage|rubbish|dogshit|dogwater|useless|worthless|pathetic|disgusting|ugly|stupid|dumb|fat|brainless|spineless|hopeless|repulsive|vile|subhuman !talking|talk|can|cans|to|not|at|if|tonight|proof|luck|question',
    'youre|ur|youare|yor @very* trash|garbage|rubbish|dogshit|dogwater|useless|worthless|pathetic|disgusting|ugly|stupid|dumb|brainless|spineless|hopeless|subhuman !talking|talk|can|cans|mistake|bag',
    'you|u play|plays|played|aim|drive|shoot @very* trash|garbage|shit|rubbish|retard|idiot',
    '@you are|r|re|is|look|sound @very* @names !fish|king|kong|island|costume|wave|accident|boss|score|ally|of',
    'youre|ur @very* @names !fish|king|kong|island|costume|wave|accident',
    '@you @hard* @names !fish|king|kong|island|costume|wave|accident|said|heard|told|made|boss|killed|shot|farm',
    '@you @hard @hard* @people|bitch|cow|kid|thing|piece|boy|girl|man|woman|one|animal',
    'he|she|they is|are @very* trash|garbage|worthless|braindead|rubbish|dogshit|dogwater !talking|talk|can|mobs|mob|item|here|there|too|bin|collection',
    'hes|shes|theyre @very* trash|garbage|useless|worthless|stupid|dumb|pathetic|disgusting|braindead !talking|talk|mobs|item',
    'he|she|they is|are @very* useless|worthless|stupid|dumb|pathetic|disgusting|freak|clown|creep|disgrace|clowns|freaks|creeps',
    '@people is|are @very* trash|garbage|dogwater|useless|worthless|stupid|dumb|pathetic|disgusting|braindead !talking|talk|mobs|item',
    'trash|garbage|useless|worthless|pathetic|stupid|dumb|brainless|braindead|shit|dogshit|dogwater|clueless @people !question|mistake|talk|talking|collector|mistakes|name|names',
    'worthless|pathetic|filthy|useless|disgusting|complete|total|human|dirty|ugly|utter scum|trash|garbage|coward|cowards|piece|pieces|freak|clown|creep|waste|pig|pigs|animal|dyke|lesbo|cripple|failure|excuse',
    'stupid|dumb|ugly|fat|silly @hard* bitch|cow|pig|freak|monkey|donkey|dyke|bitches|cows|pigs|kid|kids|fool|fools',
    'what|such a|an @very* clown|disgrace|creep|freak|embarrassment|coward|failure|fool|parasite !attack|wave|accident|costume|mask|fish|boss',
    'bunch|pack|lot|load of @very* clowns|freaks|idiots|monkeys|animals|pigs|fools|cowards|donkeys|scum|trash|rats',
    'you|u|yall all? suck|sucks|sucked !it|in|up|the|them|him|her|us|out|blood',
    'your|ur team|aim|game|family|whole|clan @people? suck|sucks',
    'are|r you|u @very* stupid|dumb|braindead|retarded',
    'hes|shes|he|she|is too|so dumb|stupid to|for|it',
    'so dumb|stupid what|he|she|you|they',
    'too dumb|stupid to',
    'have|has|got no|zero brain|brains|braincells',
    'the|a brain of a|an',
    'waste of space|oxygen|air|skin|life',
    'get a life !total|bar|potion|boost|steal|back|point|token|orb',
    'cry more|harder',
    'stop talking creep',
    'disgusting|stupid|nasty|old creep|pervert|freak',
    'piece|pieces of @very* shit|crap|garbage|trash|filth|dirt',
    'uninstall the|this|your game|it|now|please|and|you|noob|kid|trash|loser',
    'quit the game kid|noob|trash',
    'go|run back home|crying to|and your|the|tutorial|mommy|mom|mama|kindergarten|kitchen',
    'go back to kindergarten|school|the? tutorial|kitchen !zone|room',
    'nobody|noone|no one? likes|like|loves|wants|cares you !to|as|for|in|on',
    'nobody|noone likes|like|loves you',
    'nobody wants you here|around|in|on',
    'everybody|everyone|we|they all? hates|hate|hates you|u',
    'everybody|everyone hates|hate you',
    'you|u are|r nothing',
    'shut the hell up',
    'shut your|ur|yo mouth|face|trap|pie',
    'make me sick',
    '^ @very* pathetic|scum|mf|mfs|dogwater .|!* $',
    'these|those|what|absolute|total|utter|fucking|filthy scum !and|bag|game|run|villainy',
    'this|that|these|those|you|u|stupid|dumb|little|lil|lucky mf|mfs !build|main|item|rune|skin|players|mains',
    'mf|mfs cant|cannot|couldnt|doesnt|dont|didnt|just|wont|stole|took|thinks|thought|really',
    'mfer|mfers',
  ],
  profanity: ['what|who|how|where|when|why the f|eff', 'f|ef you|u|off|of', 'your|my|his|her|their|the arse'],
  slur: [
    'go back to your country|village|jungle',
    '@you cripple|dyke|coon|gypsy|homo|savage',
    'stupid|fucking|dirty|filthy|ugly dyke|cripple|gypsy|homo|lesbo|immigrant|immigrants|jew|jews|arab|arabs|muslim|muslims',
    'thats|its|this|that|is|are|was|youre|ur so|such|fucking|pretty|hella|super|kinda gay !and|rights|pride|friendly|bar|club|couple|character',
    'gas the jews|jew',
    'kill|gas all @very* jews|muslims|blacks|gays|arabs|immigrants',
    'are|r you autistic',
    'heil hitler',
    'white power !bar|up',
  ],
  sexual: [
    'suck|lick|eat|touch|kiss|blow|ride|choke my|on|this|mine my? dick|cock|balls|ass|nuts|butt|penis|feet',
    'suck|lick|eat|kiss my ass|balls|nuts|butt|dick|feet',
    'suck|eat a|an|the dick|cock|bag',
    'sit on my face|lap',
    'show|send me? your|some|ur? tits|boobs|nudes|pussy|ass|butt|pics|body|panties|bra',
    'show|send me pics|pictures of your|ur tits|boobs|body|feet|ass|butt',
    'show us|me your|ur pussy|tits|boobs|ass|body',
    'gonna|wanna|will|to fuck|bang|rape|do your|ur mother|mom|mum|sister|wife',
    '@you rapist|perv|pervert',
  ],
  harassment: [
    'kil|kill your|ur|yo self !on|at|with|faster',
    'kill yourself|urself|yourselves|yoself !on|at|with|to|faster|so|there|here|and',
    'kill yourself|urself and !respawn',
    'go|just|please|pls|you|should|u|to|now|and|better|you kill|off|end|hang|shoot|neck yourself|urself|yourselves !up|at|with|on|a|to|the|some',
    'hang|neck|drown|shoot|off yourself|urself !up|at|with|on|a|to|the|some|out|in',
    'shoot|drown|hang yourself in real|irl|life',
    'go die !to|at|in|on|with|for|there|here',
    'go die|burn in a? fire|hell|hole|ditch|car',
    'die in a fire|hole|ditch|car|real',
    'die|kill irl',
    'die in real life',
    'hope|wish|pray you|u|ya|your|he|she|they|ur whole? @mother? die|dies|died|burn|burns|rot|rots|choke|chokes|suffer|suffers|drown',
    'hope|wish you|u|ya|your|he|she|they|ur whole? @mother? get|gets|got|has|have|had cancer|aids|raped|covid|hit|killed|stabbed|shot',
    'get cancer|aids !debuff|buff|research|and',
    'go get cancer|aids',
    'slit|cut your|ur wrists|wrist|throat|veins',
    'cut|hurt yourself !off|some|a|on|free|the|out',
    'go|please|just|you|should drink some? bleach',
    'drink some? bleach',
    'jump off a bridge|cliff|roof|building|balcony !to|and|there|into|for|near|in',
    'end your|ur life',
    'commit suicide !run|bomb',
    'i|ill|im|we|well will|gonna|to|going? find|hunt|kill you|u|ya in real|irl',
    'find you|u and? kill|rape|stab|hurt|beat you|u|ya',
    'will|ill|gonna find you|u in real|irl',
    'come|coming|going|drive to your|ur house|home|place and|with',
    'know where you|u|your live|lives|school|sleep',
    'kill|rape|hurt|murder|burn|find your|ur whole? mother|mom|mum|family|parents|sister|wife|kids|children|dog|house',
    'world would|will be @very* better without you|u',
    'better of|off without you',
    'nobody|noone|no would miss|cry you|if',
    'dont|doesnt|not deserve|deserves to live|breathe|exist',
    'deserve|deserves to die|rot|burn|suffer|choke',
    '@you|he|she|they|people need|needs to die|rot|burn|suffer|choke !on|to|here|there|in|at|first|for|so|before|again|now|or',
    'uninstall life',
    'should|shoulda|shouldve never|not have? been|be born',
    'your|ur @mother should|shouldve have? aborted|swallowed',
    'swat|dox|doxx you|him|her|your',
  ],
};

/** Texts that the recogniser writes for spoken insults: words that sound alike. Only for speech. */
export const misheardSentences: Sentences = {
  insult: [
    'you are|re|r let? all? lose|loose|loses|looses a|are|her|or?',
    'well|what|wow to|a|that lose|loose a|are|her',
    'he|she|youre and|is|a lose|loose a|are|her',
    'you|youre|such|are|what|a|is|that a? more|moor on !the|that|this|my|your|his|left|right|top',
    'you|youre|are|such|an ash|has hole|whole',
    'you|your|an|such as|us hole|whole',
    'son of a|the beach',
    'you stupid',
    'stupid be|bit itch|which',
    'soul|hole|whole team is trash|garbage',
    'nobody like|lie you',
  ],
  profanity: ['bull|bowl shirt|sheet|shit', 'holy sheet|shirt', 'fudge you', 'what the fog|fuk', 'mother for|trucker'],
  slur: ['you a? fag|maggot'],
  sexual: ['suck|sock my duck|deck|dig'],
  harassment: ['will die in a fire', 'kill|killed your|or|yore|ear self', 'kill you self', 'go hang your self'],
};

import { describe, expect, it } from 'vitest';
import {
  RecognitionQueue,
  waitingPerSessionMax,
} from '../../../daemon/modules/sessions/recognisers/recognition-queue.js';
import {
  type LiveOptions,
  sampleRate,
  type Transcriber,
  type Transcription,
  unstated,
} from '../../../daemon/modules/sessions/recognisers/transcriber.js';

/** A recogniser under the test's control: every segment waits for `answer` or `fail`, in the order it was given. */
class ManualTranscriber implements Transcriber {
  readonly name = 'manual';
  given: { mark: number; answer(): void; fail(): void }[] = [];
  constructor(readonly concurrency: number) {}
  probe = async () => ({ ok: true }) as const;
  start = async () => {};
  stop = async () => {};
  transcribe(pcm: Int16Array, { signal }: { signal: AbortSignal }): Promise<Transcription> {
    return new Promise((resolve, reject) => {
      signal.addEventListener('abort', () => reject(new Error('given up')));
      this.given.push({
        mark: pcm[0] ?? 0,
        answer: () => resolve({ ...unstated, text: String(pcm[0]), quality: 'basic', language: null }),
        fail: () => reject(new Error('broken')),
      });
    });
  }
  marks = () => this.given.map(({ mark }) => mark);
}

const settled = () => new Promise<void>((resolve) => setImmediate(resolve));
const segment = (sessionId: string, speaker: string, mark: number, tenantId = 'tenant') => ({
  ...{ tenantId, sessionId, speaker },
  pcm: Int16Array.of(mark),
});

/** Lets the recogniser answer one segment after the other. */
async function answerAll(transcriber: ManualTranscriber): Promise<number[]> {
  for (let round = 0; round < transcriber.given.length; round++) {
    transcriber.given[round]?.answer();
    await settled();
  }
  return transcriber.marks();
}

describe('RecognitionQueue', () => {
  it('lets speakers take turns, each in the order they spoke', async () => {
    const transcriber = new ManualTranscriber(1);
    const queue = new RecognitionQueue(transcriber);
    for (const mark of [1, 2, 3]) void queue.submit(segment('s', 'talker', mark));
    void queue.submit(segment('s', 'quiet', 10));
    expect(await answerAll(transcriber)).toEqual([1, 10, 2, 3]);
  });

  it('states the language that was expected, where the recogniser states none', async () => {
    const transcriber = new ManualTranscriber(1);
    const queue = new RecognitionQueue(transcriber);
    const done = queue.submit({ ...segment('s', 'a', 1), hints: async () => ({ language: 'de' }) });
    await settled();
    await answerAll(transcriber);
    expect(await done).toMatchObject({ transcription: { text: '1', language: 'de' } });
  });

  describe('of every recogniser', () => {
    const words = (...texts: string[]) => texts.map((text) => ({ text, startMs: 0, endMs: 1, confidence: 0.5 }));
    /** Hears the text in two seconds of sound. */
    const heardAs = async (text: string, given: Partial<Transcription> = {}) => {
      const transcriber: Transcriber = {
        ...{ name: 'any', concurrency: 1, probe: async () => ({ ok: true }) as const },
        ...{ start: async () => {}, stop: async () => {} },
        transcribe: async () => ({ ...unstated, text, quality: 'good', language: null, ...given }),
      };
      const pcm = new Int16Array(2 * sampleRate);
      const outcome = await new RecognitionQueue(transcriber).submit({ ...segment('s', 'a', 1), pcm });
      return outcome.status === 'recognised' ? outcome.transcription : null;
    };

    it.each([
      ['a mark before words', '[Music] push the lane', 'push the lane'],
      ['marks between words', 'push (wind howling) the *coughs* lane ♪', 'push the lane'],
      ['a mark in full-width brackets', '【音楽】 日本語です', '日本語です'],
      ['a mark without an end', 'push the lane [BLANK_AU', 'push the lane'],
      ['signs that a mark leaves', '[Music]. Push, (laughs), now', 'Push,, now'],
      ['tokens of models', '<|en|><|HAPPY|>push ++NOISE++ the lane', 'push the lane'],
      ['a censored insult', 'f**k you a**hole', 'f**k you a**hole'],
      ['a language', 'C++ and C++', 'C++ and C++'],
      ['dots within speech', 'well... no', 'well... no'],
      ['a loop that is a word', `stop ${'ha'.repeat(60)} now`, 'stop now'],
      ['a loop inside a word', `n${'o'.repeat(200)}w`, 'now'],
      ['laughter', `stop ${'ha'.repeat(12)}`, `stop ${'ha'.repeat(12)}`],
      [
        'a credit behind speech',
        'push the top lane now, Untertitel im Auftrag des ZDF, 2017',
        'push the top lane now,',
      ],
      ['a credit before an insult', 'Copyright WDR 2020 you are all badwords, each', 'you are all badwords, each'],
      ['nothing but marks', '[BLANK_AUDIO] ...', '[BLANK_AUDIO] ...'],
    ])('takes out what nobody said: %s', async (_, written, spoken) => {
      expect((await heardAs(written))?.text).toBe(spoken);
    });

    it('takes it out of words and alternatives, too', async () => {
      const heard = await heardAs('(wind howling) push [Music]now', {
        words: words('(wind', 'howling)', 'push', '[Music]now'),
        alternatives: ['(wind)', 'bush [Music] now'].map((text) => ({ text, confidence: null })),
      });
      expect(heard?.text).toBe('push now');
      expect(heard?.words.map(({ text }) => text)).toEqual(['push', 'now']);
      expect(heard?.alternatives.map(({ text }) => text)).toEqual(['bush now']);
    });

    it('takes it out of what is shown while somebody speaks', () => {
      const shown: string[] = [];
      const transcriber = Object.assign(new ManualTranscriber(1), {
        listen: ({ onText }: LiveOptions) => {
          for (const text of ['[BLANK', '[Music] push', 'push the (wind']) onText(text);
          return null;
        },
      });
      new RecognitionQueue(transcriber).listen({ onText: (text) => shown.push(text) });
      expect(shown).toEqual(['', 'push', 'push the']);
    });
  });

  it('lets tenants take turns before sessions, and sessions before speakers', async () => {
    const transcriber = new ManualTranscriber(1);
    const queue = new RecognitionQueue(transcriber);
    for (const speaker of ['a', 'b', 'c']) void queue.submit(segment('big', speaker, 1));
    for (const speaker of ['a', 'b']) void queue.submit(segment('small', speaker, 2));
    for (const session of ['s', 't']) void queue.submit(segment(session, 'a', 3, 'other'));
    expect(await answerAll(transcriber)).toEqual([1, 3, 2, 3, 1, 2, 1]);
  });

  it('keeps room for other tenants, however much one of them says', async () => {
    const queue = new RecognitionQueue(new ManualTranscriber(1), { samplesMax: 10 });
    void queue.submit(segment('s', 'in work, so not waiting', 1));
    const waiting = (tenantId: string) => {
      const before = queue.size;
      for (let speaker = 0; speaker < 10; speaker++)
        void queue.submit(segment(`of ${tenantId}`, `${speaker}`, 1, tenantId));
      return queue.size - before;
    };
    expect([waiting('loud'), waiting('other'), waiting('third'), waiting('loud')]).toEqual([5, 3, 1, 0]);
    expect(await queue.submit(segment('of loud', 'late', 1, 'loud'))).toMatchObject({ status: 'dropped' });
    queue.abandon('of loud');
    expect(waiting('third')).toBe(3);
  });

  it('never has two segments of one speaker in work', async () => {
    const transcriber = new ManualTranscriber(2);
    const queue = new RecognitionQueue(transcriber);
    void queue.submit(segment('s', 'a', 1));
    void queue.submit(segment('s', 'a', 2));
    void queue.submit(segment('s', 'b', 3));
    expect(transcriber.marks()).toEqual([1, 3]);
  });

  it('drops the newest segment of a session that is full, and of no other', async () => {
    const transcriber = new ManualTranscriber(1);
    const queue = new RecognitionQueue(transcriber);
    const first = queue.submit(segment('s', 'a', 0)); // in work, so not waiting
    for (let mark = 1; mark <= waitingPerSessionMax; mark++)
      void queue.submit(segment('s', `speaker ${mark % 5}`, mark));
    expect(await queue.submit(segment('s', 'a', 99))).toMatchObject({ status: 'dropped' });
    void queue.submit(segment('other', 'a', 100));
    transcriber.given[0]?.answer();
    expect(await first).toMatchObject({ status: 'recognised', transcription: { text: '0' } });
    queue.abandon('s');
    await settled();
    expect(transcriber.marks().at(-1)).toBe(100);
  });

  it('tries a segment twice, then says that it failed', async () => {
    const transcriber = new ManualTranscriber(1);
    const outcome = new RecognitionQueue(transcriber).submit(segment('s', 'a', 1));
    transcriber.given[0]?.fail();
    await settled();
    transcriber.given[1]?.fail();
    expect(await outcome).toEqual({ status: 'failed', reason: 'broken', isTooSlow: false });
    expect(transcriber.given).toHaveLength(2);
  });

  it('takes a recogniser that does not answer for a failed one, the later the longer the utterance', async () => {
    const transcriber = new ManualTranscriber(2);
    const failures: (string | null)[] = [];
    const queue = new RecognitionQueue(transcriber, {
      limit: { seconds: 0.02, factor: 0.1 },
      onOutcome: (failure) => failures.push(failure),
    });
    const long = queue.submit({ ...segment('s', 'long', 1), pcm: new Int16Array(4 * sampleRate) });
    const short = await queue.submit({ ...segment('s', 'short', 2), pcm: new Int16Array(sampleRate / 2) });
    const reason = 'timed out: no answer within 0.07 s for 0.5 s of speech';
    expect(short).toEqual({ status: 'failed', reason, isTooSlow: true });
    expect(transcriber.given).toHaveLength(3);
    expect(await long).toMatchObject({ reason: 'timed out: no answer within 0.42 s for 4 s of speech' });
    expect(failures).toEqual([reason, 'timed out: no answer within 0.42 s for 4 s of speech']);
  });

  it('says when it is full, and when nothing waits any more', async () => {
    const transcriber = new ManualTranscriber(1);
    const told: (number | null)[] = [];
    const queue = new RecognitionQueue(transcriber, { onFull: (waiting) => told.push(waiting) });
    const outcomes = Array.from({ length: waitingPerSessionMax + 2 }, (_, mark) =>
      queue.submit(segment('s', 'a', mark)),
    );
    expect(await outcomes.at(-1)).toEqual({ status: 'dropped', isTooSlow: true });
    expect(told).toEqual([waitingPerSessionMax + 1]);
    await settled();
    await answerAll(transcriber);
    expect(told.at(-1)).toBeNull();
  });

  it('hands back all of an abandoned session as dropped, what is in work too', async () => {
    const transcriber = new ManualTranscriber(1);
    const queue = new RecognitionQueue(transcriber);
    const outcomes = [1, 2, 3].map((mark) => queue.submit(segment('s', 'a', mark)));
    const other = queue.submit(segment('other', 'a', 4));
    queue.abandon('s');
    expect(await Promise.all(outcomes)).toEqual(Array(3).fill({ status: 'dropped', isTooSlow: false }));
    await settled();
    transcriber.given.at(-1)?.answer();
    expect(await other).toMatchObject({ status: 'recognised' });
  });
});

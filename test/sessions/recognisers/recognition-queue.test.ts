import { describe, expect, it } from 'vitest';
import {
  RecognitionQueue,
  waitingPerSessionMax,
} from '../../../daemon/modules/sessions/recognisers/recognition-queue.js';
import {
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

  it('lets tenants take turns before sessions, and sessions before speakers', async () => {
    const transcriber = new ManualTranscriber(1);
    const queue = new RecognitionQueue(transcriber);
    for (const speaker of ['a', 'b', 'c']) void queue.submit(segment('big', speaker, 1));
    for (const speaker of ['a', 'b']) void queue.submit(segment('small', speaker, 2));
    for (const session of ['s', 't']) void queue.submit(segment(session, 'a', 3, 'other'));
    expect(await answerAll(transcriber)).toEqual([1, 3, 2, 3, 1, 2, 1]);
  });

  it('keeps room for other tenants, however much one of them says', async () => {
    const queue = new RecognitionQueue(new ManualTranscriber(1), 30_000, 10);
    void queue.submit(segment('s', 'in work, so not waiting', 1));
    const waiting = (tenantId: string) => {
      const before = queue.size;
      for (let speaker = 0; speaker < 10; speaker++)
        void queue.submit(segment(`of ${tenantId}`, `${speaker}`, 1, tenantId));
      return queue.size - before;
    };
    expect([waiting('loud'), waiting('other'), waiting('third'), waiting('loud')]).toEqual([5, 3, 1, 0]);
    expect(await queue.submit(segment('of loud', 'late', 1, 'loud'))).toEqual({ status: 'dropped' });
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
    expect(await queue.submit(segment('s', 'a', 99))).toEqual({ status: 'dropped' });
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
    expect(await outcome).toEqual({ status: 'failed', reason: 'broken' });
    expect(transcriber.given).toHaveLength(2);
  });

  it('takes a recogniser that does not answer for a failed one', async () => {
    const transcriber = new ManualTranscriber(1);
    const outcome = await new RecognitionQueue(transcriber, 20).submit(segment('s', 'a', 1));
    expect(outcome).toEqual({ status: 'failed', reason: 'timed out: no answer within 0.02 s' });
    expect(transcriber.given).toHaveLength(2);
  });

  it('hands back all of an abandoned session as dropped, what is in work too', async () => {
    const transcriber = new ManualTranscriber(1);
    const queue = new RecognitionQueue(transcriber);
    const outcomes = [1, 2, 3].map((mark) => queue.submit(segment('s', 'a', mark)));
    const other = queue.submit(segment('other', 'a', 4));
    queue.abandon('s');
    expect(await Promise.all(outcomes)).toEqual([{ status: 'dropped' }, { status: 'dropped' }, { status: 'dropped' }]);
    await settled();
    transcriber.given.at(-1)?.answer();
    expect(await other).toMatchObject({ status: 'recognised' });
  });
});

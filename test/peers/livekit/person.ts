/** Somebody with LiveKit's own client: speaks a tone, and counts what they hear of whom. */
import {
  AudioFrame,
  AudioSource,
  AudioStream,
  LocalAudioTrack,
  Room,
  RoomEvent,
  TrackPublishOptions,
  TrackSource,
} from '@livekit/rtc-node';

const sampleRate = 48_000;
const frameSamples = 480;
const loud = 500;

export class Person {
  readonly room = new Room();
  private readonly heard = new Map<string, number>();
  private speaking = false;

  private constructor(readonly name: string) {}

  static async join(name: string, url: string, token: string): Promise<Person> {
    const person = new Person(name);
    person.room.on(RoomEvent.TrackSubscribed, (track, _publication, { identity }) => {
      void person.count(new AudioStream(track, sampleRate, 1), identity);
    });
    await person.room.connect(url, token, { autoSubscribe: true, dynacast: false });
    return person;
  }

  /** Frames that were not silent. */
  heardOf = (name: string): number => this.heard.get(name) ?? 0;

  async speak(): Promise<void> {
    const source = new AudioSource(sampleRate, 1);
    const track = LocalAudioTrack.createAudioTrack('microphone', source);
    const options = new TrackPublishOptions({ source: TrackSource.SOURCE_MICROPHONE });
    await this.room.localParticipant?.publishTrack(track, options);
    if (this.speaking) return;
    this.speaking = true;
    void this.tone(source);
  }

  async leave(): Promise<void> {
    this.speaking = false;
    await this.room.disconnect();
  }

  private async tone(source: AudioSource): Promise<void> {
    for (let at = 0; this.speaking; at += frameSamples) {
      const data = Int16Array.from({ length: frameSamples }, (_, index) =>
        Math.round(8_000 * Math.sin((2 * Math.PI * 440 * (at + index)) / sampleRate)),
      );
      await source.captureFrame(new AudioFrame(data, sampleRate, 1, frameSamples));
    }
  }

  private async count(stream: AudioStream, identity: string): Promise<void> {
    for await (const { data } of stream)
      if (data.some((sample) => Math.abs(sample) > loud)) this.heard.set(identity, this.heardOf(identity) + 1);
  }
}

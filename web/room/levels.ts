/** Measures the loudness of streams, from 0 to 1 as perceived. */
const fftSize = 512;
const floorDecibels = -60;
const ceilingDecibels = -15;

/** Louder than this counts as speaking. */
export const speakingLevel = 0.28;

export class Levels {
  private readonly context = new AudioContext();
  private readonly meters = new Map<string, { node: AnalyserNode; source: MediaStreamAudioSourceNode }>();
  private readonly samples = new Float32Array(fftSize);

  /** Call within a click: browsers keep sound from pages that nobody has touched. */
  wake(): void {
    void this.context.resume();
  }

  watch(name: string, stream: MediaStream): void {
    this.forget(name);
    const source = this.context.createMediaStreamSource(stream);
    const node = this.context.createAnalyser();
    node.fftSize = fftSize;
    source.connect(node);
    this.meters.set(name, { node, source });
  }

  forget(name: string): void {
    this.meters.get(name)?.source.disconnect();
    this.meters.delete(name);
  }

  levelOf(name: string): number {
    const node = this.meters.get(name)?.node;
    if (node === undefined) return 0;
    node.getFloatTimeDomainData(this.samples);
    const power = this.samples.reduce((sum, sample) => sum + sample * sample, 0) / fftSize;
    const decibels = 10 * Math.log10(power + Number.EPSILON);
    return Math.min(1, Math.max(0, (decibels - floorDecibels) / (ceilingDecibels - floorDecibels)));
  }
}

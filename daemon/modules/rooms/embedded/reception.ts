/**
 * Reports to a speaker how their packets arrive: receiver reports (RFC 3550, section 6.4.2), by which a client adapts
 * to the network. Written here and not by the media library, which answers every report that it is sent and shows none
 * of them to the room. Pure: the time is handed in.
 */
const senderReportType = 200;
const senderReportBytes = 28;
const reportType = 201;
const reportBytes = 32;
const clockPerMs = 48;
const reportEveryMs = 5_000;
/** The room sends nothing else under this source. */
const ownSource = 1;

export class Reception {
  private source = 0;
  private first = 0;
  private highest = 0;
  private received = 0;
  private expectedBefore = 0;
  private receivedBefore = 0;
  private jitter = 0;
  private transit: number | null = null;
  private lastReport = 0;
  private lastReportAtMs = 0;
  private reportedAtMs = 0;

  /** A packet of sound has arrived. */
  arrived(data: Buffer, nowMs: number): void {
    if (data.length < 12) return;
    const source = data.readUInt32BE(8);
    const sequence = data.readUInt16BE(2);
    if (source !== this.source || this.received === 0) this.begin(source, sequence);
    const ahead = (sequence - this.highest) & 0xffff;
    if (ahead < 0x8000) this.highest += ahead;
    this.received += 1;
    const transit = Math.round(nowMs * clockPerMs) - data.readUInt32BE(4);
    if (this.transit !== null) this.jitter += (Math.abs((transit - this.transit) | 0) - this.jitter) / 16;
    this.transit = transit;
  }

  /** A report of the speaker has arrived; reports of other kinds are passed over. */
  reported(data: Buffer, nowMs: number): void {
    if (data.length < senderReportBytes || data.readUInt8(1) !== senderReportType) return;
    this.lastReport = data.readUInt32BE(10);
    this.lastReportAtMs = nowMs;
  }

  /** The report that is due; null: none is. */
  due(nowMs: number): Buffer | null {
    if (this.received === 0 || nowMs - this.reportedAtMs < reportEveryMs) return null;
    this.reportedAtMs = nowMs;
    const expected = this.highest - this.first + 1;
    const [expectedNow, receivedNow] = [expected - this.expectedBefore, this.received - this.receivedBefore];
    [this.expectedBefore, this.receivedBefore] = [expected, this.received];
    const lost = Math.max(0, expectedNow - receivedNow);
    const fraction = expectedNow <= 0 ? 0 : Math.min(255, Math.floor((lost * 256) / expectedNow));
    const packet = Buffer.alloc(reportBytes);
    packet.writeUInt8(0x81, 0);
    packet.writeUInt8(reportType, 1);
    packet.writeUInt16BE(reportBytes / 4 - 1, 2);
    packet.writeUInt32BE(ownSource, 4);
    packet.writeUInt32BE(this.source, 8);
    packet.writeUInt8(fraction, 12);
    packet.writeUIntBE(Math.min(0x7fffff, Math.max(0, expected - this.received)), 13, 3);
    packet.writeUInt32BE(this.highest >>> 0, 16);
    packet.writeUInt32BE(Math.max(0, Math.round(this.jitter)) >>> 0, 20);
    packet.writeUInt32BE(this.lastReport, 24);
    const delay = this.lastReport === 0 ? 0 : Math.round(((nowMs - this.lastReportAtMs) * 65_536) / 1_000);
    packet.writeUInt32BE(Math.max(0, delay) >>> 0, 28);
    return packet;
  }

  private begin(source: number, sequence: number): void {
    this.source = source;
    [this.first, this.highest] = [sequence, sequence];
    [this.received, this.expectedBefore, this.receivedBefore] = [0, 0, 0];
    [this.jitter, this.transit] = [0, null];
  }
}

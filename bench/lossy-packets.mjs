// Packets of one stream as a bad network delivers them.

const frameMs = 20;
/** A packet that is overtaken comes up to so many packets later. */
const overtakenByMax = 3;

/** Leaves out a share of the packets (0–1) and lets others overtake as many, in order of arrival. */
export function lossy(packets, share, random) {
  return packets
    .filter(() => random() >= share)
    .map((packet) => {
      const lateMs = random() < share ? (1 + Math.floor(random() * overtakenByMax)) * frameMs : 0;
      return { ...packet, arrivedAtMs: packet.arrivedAtMs + lateMs };
    })
    .sort((a, b) => a.arrivedAtMs - b.arrivedAtMs);
}

// Packets of one stream as a bad network delivers them, the same for the same seed.

const frameMs = 20;
/** A packet that is overtaken comes up to so many packets later. */
const overtakenByMax = 3;

/** Mulberry32: numbers from 0 up to 1, the same for the same seed. */
export function randomOf(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Leaves out a share of the packets (0–1) and lets others overtake as many, in order of arrival. */
export function lossy(packets, share, seed) {
  const random = randomOf(seed);
  return packets
    .filter(() => random() >= share)
    .map((packet) => {
      const lateMs = random() < share ? (1 + Math.floor(random() * overtakenByMax)) * frameMs : 0;
      return { ...packet, arrivedAtMs: packet.arrivedAtMs + lateMs };
    })
    .sort((a, b) => a.arrivedAtMs - b.arrivedAtMs);
}

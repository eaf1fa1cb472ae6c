export function randomOf(seed: number): () => number;
export function lossy<Packet extends { readonly arrivedAtMs: number }>(
  packets: readonly Packet[],
  share: number,
  seed: number,
): Packet[];

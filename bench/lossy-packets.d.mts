export function lossy<Packet extends { readonly arrivedAtMs: number }>(
  packets: readonly Packet[],
  share: number,
  random: () => number,
): Packet[];

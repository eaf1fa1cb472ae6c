/** Who reached what when, for the first time, by the keys of the season file. */
import type { SeasonObjects } from './season-objects.js';
import type { SimulatedPlayer } from './simulated-player.js';

export interface Achievement {
  readonly player: SimulatedPlayer;
  /** Of the season. */
  readonly minute: number;
  /** Minutes that the player had played. */
  readonly played: number;
}

export class Achievements {
  private readonly first = new Map<string, Map<SimulatedPlayer, Achievement>>();

  constructor(private readonly objects: SeasonObjects) {}

  note(id: string, { minute, player, played }: Achievement): void {
    const known = this.first.get(id) ?? new Map<SimulatedPlayer, Achievement>();
    this.first.set(id, known);
    if (!known.has(player)) known.set(player, { player, minute, played });
  }

  get boards(): { key: string; id: string }[] {
    return [...this.objects.boards].map(([id, key]) => ({ id, key }));
  }

  ofChallenge(key: string): Achievement[] {
    return this.of(this.objects.challenges, key);
  }

  ofLevel(pass: string, key: string): Achievement[] {
    return this.of(this.objects.levels, `${pass} ${key}`);
  }

  private of(ids: ReadonlyMap<string, string>, key: string): Achievement[] {
    const id = [...ids].find(([, one]) => one === key)?.[0];
    return [...(this.first.get(id ?? '')?.values() ?? [])];
  }
}

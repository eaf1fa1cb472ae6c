/** Records when each player first reached what. */
import type { SimulatedPlayer } from './simulated-player.js';

export interface Achievement {
  readonly player: SimulatedPlayer;
  /** Minute of the season. */
  readonly minute: number;
  /** Minutes that the player had played. */
  readonly played: number;
}

export class Achievements {
  private readonly first = new Map<string, Map<SimulatedPlayer, Achievement>>();

  /** `id`: of a challenge or of a level. */
  note(id: string, { minute, player, played }: Achievement): void {
    const known = this.first.get(id) ?? new Map<SimulatedPlayer, Achievement>();
    this.first.set(id, known);
    if (!known.has(player)) known.set(player, { player, minute, played });
  }

  achievementsOf(id: string): Achievement[] {
    return [...(this.first.get(id)?.values() ?? [])];
  }
}

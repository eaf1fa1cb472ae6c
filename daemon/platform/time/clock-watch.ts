/** Notices when the clock of the machine is set: it then differs from the time that the process has counted itself. */
import { z } from 'zod';
import { type AdminHandler, handlerOf } from '../admin-operation.js';
import type { Logger } from '../observability/logger.js';
import type { Clock } from './clock.js';
import { every } from './ticks.js';

const checkMs = 1_000;
/** Time servers correct less than this a little at a time. */
const stepMinMs = 2_000;
const stepsKept = 20;

interface ClockStep {
  /** When it was noticed, by the clock as it was set. */
  readonly at: Date;
  /** By how much; negative: it was set back. */
  readonly ms: number;
}

/** Lists how the clock was set since the start, for `earshotd doctor`. */
export const listClockSteps = {
  name: 'clock.steps',
  input: z.object({}),
  output: z.object({ steps: z.array(z.object({ at: z.string(), ms: z.int() })) }),
};

export class ClockWatch {
  private readonly steps: ClockStep[] = [];
  private readonly listeners: ((now: Date) => Promise<unknown>)[] = [];
  private ahead: number;
  private end: (() => void) | null = null;

  constructor(
    private readonly now: Clock,
    private readonly logger: Logger,
    /** When the newest event was stored; null: there is none. */
    private readonly newestStored: () => Promise<Date | null> = async () => null,
    private readonly counted: () => number = () => performance.now(),
  ) {
    this.ahead = this.difference();
  }

  async start(): Promise<void> {
    const newest = await this.newestStored();
    const behindMs = newest === null ? 0 : newest.getTime() - this.now().getTime();
    if (behindMs >= stepMinMs)
      this.note(-behindMs, 'the clock of this machine is behind what was stored before this start');
    this.end = every(checkMs, () => void this.check());
  }

  stop(): void {
    this.end?.();
  }

  /** Called after the clock was set back, for work that is due by it. */
  onSetBack(listener: (now: Date) => Promise<unknown>): void {
    this.listeners.push(listener);
  }

  async check(): Promise<void> {
    const difference = this.difference();
    const ms = Math.round(difference - this.ahead);
    if (Math.abs(ms) < stepMinMs) return;
    this.ahead = difference;
    this.note(ms, ms < 0 ? 'the clock of this machine was set back' : 'the clock of this machine was set forward');
    if (ms > 0) return;
    for (const listener of this.listeners)
      await listener(this.now()).catch((error: unknown) =>
        this.logger.warn({ err: error }, 'work could not be brought forward after the clock was set back'),
      );
  }

  get operations(): AdminHandler[] {
    return [
      handlerOf(listClockSteps, async () => ({
        steps: this.steps.map(({ at, ms }) => ({ at: at.toISOString(), ms })),
      })),
    ];
  }

  private note(ms: number, sentence: string): void {
    this.steps.push({ at: this.now(), ms });
    if (this.steps.length > stepsKept) this.steps.shift();
    this.logger.warn({ seconds: ms / 1_000 }, sentence);
  }

  private difference = (): number => this.now().getTime() - this.counted();
}

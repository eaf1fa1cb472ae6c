import * as Flags from '@oclif/core/flags';
import { EarshotCommand } from '../src/cli/command/command.js';
import { figuresView } from '../src/cli/figures/figures-view.js';
import { Keyboard } from '../src/cli/terminal/live/keyboard.js';
import { poll } from '../src/cli/terminal/live/poll.js';
import { LiveScreen } from '../src/cli/terminal/live/screen.js';
import { figureRoutes, type LiveFigures } from '../src/contract/figures/figures.js';
import { interruption } from '../src/terminal/interruption.js';

const everyMs = 1_000;
const ratesMax = 60;
const widthDefault = 120;

export default class Top extends EarshotCommand {
  static override summary = 'Watch the tenant live: rooms, people, events, deliveries, queues, latency.';
  static override description =
    'For tenant administrators. Without a terminal, with --once and with --json it prints the figures once.';
  static override examples = [
    '<%= config.bin %> <%= command.id %>',
    '<%= config.bin %> <%= command.id %> --once',
    '<%= config.bin %> <%= command.id %> --json | jq .rooms.people',
  ];
  static override flags = { once: Flags.boolean({ description: 'Print the figures once and exit' }) };

  async run(): Promise<void> {
    const { flags } = await this.input(Top);
    if (this.common.json === true) return this.show(await this.figures());
    const figures = await this.figures();
    const isLive = !flags.once && process.stdout.isTTY === true && process.stdin.isTTY === true;
    if (isLive) return this.live(figures);
    const size = { columns: process.stdout.columns || widthDefault, rows: Number.POSITIVE_INFINITY };
    this.log(figuresView({ url: this.baseUrl, figures, rates: [], foot: '' }, size));
  }

  private figures = (): Promise<LiveFigures> => this.client.call(figureRoutes.live, {});

  private async live(first: LiveFigures): Promise<void> {
    const leave = new AbortController();
    const until = interruption(leave);
    const rates: number[] = [];
    let [figures, foot] = [first, 'q quits'];
    const screen = new LiveScreen((size) => figuresView({ url: this.baseUrl, figures, rates, foot }, size));
    const keyboard = new Keyboard((key) => key === 'q' && leave.abort());
    const refresh = async (): Promise<void> => {
      figures = await this.figures();
      rates.push(figures.events.perSecond);
      if (rates.length > ratesMax) rates.shift();
      screen.show();
    };
    try {
      await poll(everyMs, until, refresh, (line) => {
        foot = line ?? 'q quits';
        screen.show();
      });
    } finally {
      keyboard.close();
      screen.close();
    }
  }
}

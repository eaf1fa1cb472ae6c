/**
 * A scene is something that a user of Earshot does, played on a real daemon process with the real programs. It fails when
 * a claim does not hold, and what was typed and answered makes a section of dist/verification.md.
 */
import type { DaemonProcess } from '../support/daemon-process.js';

export interface CommandResult {
  stdout: string;
  stderr: string;
  exitCode: number | null;
}

export interface LineOptions {
  /** Standard input of the line. */
  input?: string;
  /** Environment beside the stage's own (`EARSHOT_URL` and a signed-in configuration folder). */
  env?: Readonly<Record<string, string>>;
  /** Folder below the scene's own that the line runs in; the scene's own unless told. */
  cwd?: string;
  /** Milliseconds that the line may take; two minutes unless told. */
  within?: number;
  /** The exit code that the line must end with; 0 unless told. */
  exitCode?: number;
  /** Plays the line without writing it down: set-up that tells a reader nothing. */
  quiet?: boolean;
}

/** A line that goes on while others run. */
export interface RunningCommand {
  /** Resolves once the pattern stands in what was printed until now; throws after half a minute, or what is told. */
  prints(pattern: RegExp, withinMs?: number): Promise<void>;
  /** Ends the line by SIGINT, as ctrl-c does, unless it ends by itself; writes down what it printed. */
  stop(): Promise<CommandResult>;
  /** Waits for its own end; writes down what it printed. */
  ends(): Promise<CommandResult>;
}

export interface Stage {
  /** The daemon that the scene plays on; `earshot` is signed in as its administrator. */
  readonly daemon: DaemonProcess;
  readonly url: string;
  /** An empty folder for the scene's files; lines run in it. */
  readonly folder: string;
  /** Explains what follows, in a sentence or two. */
  tell(sentence: string): void;
  /** Runs a line of shell as a user types it; `earshot` and `earshotd` are on its path. Throws on another exit code. */
  run(line: string, options?: LineOptions): Promise<CommandResult>;
  /** Starts a line that goes on; it is written down when it stops. */
  start(line: string, options?: LineOptions): RunningCommand;
  /** Writes down what was found besides printed lines (a received message, a count). */
  show(text: string): void;
  /** A claim that must hold; written down with a tick. */
  check(claim: string, holds: boolean): void;
}

export interface Scene {
  title: string;
  /** Settings of the scene's daemon beside free ports and a temporary data folder. */
  settings?: Readonly<Record<string, string>>;
  /** Played by `npm run verification` alone: it takes minutes or fetches from the network. */
  long?: boolean;
  /** False where this machine lacks a program that the scene needs: it is skipped. */
  isPlayable?: boolean;
  /** Milliseconds that the scene may take, where the usual half hour is too little. */
  within?: number;
  play(stage: Stage): Promise<void>;
}

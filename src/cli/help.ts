/** Help texts as oclif renders them, but long lists of options break between options, never inside of one. */
import { CommandHelp, Help } from '@oclif/core/help';

/** Permits a line to break after each option of `mute|warn|…`; the mark shows where none was broken. */
const breakable = (text: string, width: number): string =>
  text.replaceAll(/\S+/g, (word) => (word.length > width ? word.replaceAll('|', '|\u200b ') : word));
const unmarked = (text: string): string => text.replaceAll(/\u200b ?/g, '');

class EarshotCommandHelp extends CommandHelp {
  override wrap(body: string, spacing = this.indentSpacing): string {
    return unmarked(super.wrap(breakable(body, this.opts.maxWidth - spacing), spacing));
  }
}

export default class EarshotHelp extends Help {
  protected override CommandHelpClass = EarshotCommandHelp;
}

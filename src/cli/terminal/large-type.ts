/** Join codes in letters of five lines, to be read across a room. */
const height = 5;

/** Five rows of five dots for each letter of join codes. */
const letters: Readonly<Record<string, string>> = {
  A: ' ### |#   #|#####|#   #|#   #',
  B: '#### |#   #|#### |#   #|#### ',
  C: ' ####|#    |#    |#    | ####',
  D: '#### |#   #|#   #|#   #|#### ',
  E: '#####|#    |#### |#    |#####',
  F: '#####|#    |#### |#    |#    ',
  G: ' ####|#    |#  ##|#   #| ####',
  H: '#   #|#   #|#####|#   #|#   #',
  J: '  ###|    #|    #|#   #| ### ',
  K: '#  # |# #  |##   |# #  |#  # ',
  L: '#    |#    |#    |#    |#####',
  M: '#   #|## ##|# # #|#   #|#   #',
  N: '#   #|##  #|# # #|#  ##|#   #',
  P: '#### |#   #|#### |#    |#    ',
  Q: ' ### |#   #|# # #|#  # | ## #',
  R: '#### |#   #|#### |#  # |#   #',
  S: ' ####|#    | ### |    #|#### ',
  T: '#####|  #  |  #  |  #  |  #  ',
  U: '#   #|#   #|#   #|#   #| ### ',
  V: '#   #|#   #|#   #| # # |  #  ',
  W: '#   #|#   #|# # #|## ##|#   #',
  X: '#   #| # # |  #  | # # |#   #',
  Y: '#   #| # # |  #  |  #  |  #  ',
  Z: '#####|   # |  #  | #   |#####',
  2: '#### |    #| ### |#    |#####',
  3: '#### |    #| ### |    #|#### ',
  4: '#   #|#   #|#####|    #|    #',
  5: '#####|#    |#### |    #|#### ',
  6: ' ### |#    |#### |#   #| ### ',
  7: '#####|    #|   # |  #  |  #  ',
  8: ' ### |#   #| ### |#   #| ### ',
  9: ' ### |#   #| ####|    #| ### ',
  '-': '     |     | ### |     |     ',
};

/** The code in two halves. */
export const inHalves = (joinCode: string): string => `${joinCode.slice(0, 4)}-${joinCode.slice(4)}`;

export function largeType(text: string): string {
  const drawn = [...text].map((letter) => (letters[letter] ?? letters['-'] ?? '').split('|'));
  const lines = Array.from({ length: height }, (_, line) => drawn.map((rows) => rows[line] ?? '').join('  '));
  return lines.map((line) => line.replaceAll('#', '█').trimEnd()).join('\n');
}

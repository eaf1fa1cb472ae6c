/**
 * Scripts that a shell loads to complete lines of `earshot`. The program that is typed answers, whatever it is called.
 */

const bash = `_earshot_completion() {
  COMPREPLY=()
  local line
  while IFS= read -r line; do COMPREPLY+=("$line"); done < <(
    "\${COMP_WORDS[0]}" __complete bash "\${COMP_LINE:0:COMP_POINT}" "$COMP_WORDBREAKS" 2>/dev/null
  )
}
complete -o default -F _earshot_completion earshot
`;

const zsh = `#compdef earshot
_earshot() {
  local -a found
  found=("\${(@f)$("\${words[1]}" __complete zsh "$LBUFFER" 2>/dev/null)}")
  [[ -n "$found[1]" ]] || { _files; return }
  compset -P '--*='
  compadd -M 'm:{a-zA-Z}={A-Za-z}' -a found
}
(( $+functions[compdef] )) || { autoload -Uz compinit && compinit -D }
compdef _earshot earshot
`;

export const completionScripts: Readonly<Record<string, string>> = { bash, zsh };

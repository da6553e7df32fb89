import type { Command } from '../command.ts'
import { EXIT, Failure } from '../failure.ts'

/** Prints what a shell needs to complete the commands: `source <(dispatch completion bash)`. */
export const completionOf = (commands: () => readonly Command[]): Command => ({
  usage: 'completion bash|zsh|fish',
  summary: 'Print completions for a shell: source <(dispatch completion bash)',
  async run({ output }, [shell]) {
    const words = Map.groupBy(
      commands().map(({ usage }) => usage.split(' ').filter((word) => /^[a-z]+$/.test(word))),
      ([first]) => first!,
    )
    const second = [...words].flatMap(([first, all]) => {
      const next = all.flatMap(([, word]) => word ?? [])
      return next.length > 0 ? [[first, next.join(' ')] as const] : []
    })
    const first = [...words.keys()].join(' ')
    if (shell === 'fish')
      return output.show(
        undefined,
        `complete -c dispatch -f -n __fish_use_subcommand -a '${first}'`,
        ...second.map(
          ([word, next]) => `complete -c dispatch -f -n '__fish_seen_subcommand_from ${word}' -a '${next}'`,
        ),
      )
    if (shell !== 'bash' && shell !== 'zsh') throw new Failure(`dispatch ${this.usage}`, EXIT.usage)
    output.show(
      undefined,
      ...(shell === 'zsh' ? ['autoload -U +X bashcompinit && bashcompinit'] : []),
      '_dispatch() {',
      '  local words=""',
      '  case "$COMP_CWORD:${COMP_WORDS[1]}" in',
      `    1:*) words="${first}" ;;`,
      ...second.map(([word, next]) => `    2:${word}) words="${next}" ;;`),
      '  esac',
      '  COMPREPLY=($(compgen -W "$words" -- "${COMP_WORDS[COMP_CWORD]}"))',
      '}',
      'complete -F _dispatch dispatch',
    )
  },
})

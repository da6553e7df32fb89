import { COMMON, type Command, wordsOf } from '../command.ts'
import { EXIT, Failure } from '../failure.ts'

/** Prints what a shell needs to complete the commands and their options: `source <(dispatch completion bash)`. */
export const completionOf = (commands: () => readonly Command[]): Command => ({
  usage: 'completion bash|zsh|fish',
  summary: 'Print completions for a shell: source <(dispatch completion bash)',
  async run({ output }, [shell]) {
    const known = commands().map(({ usage, options }) => ({
      words: wordsOf(usage),
      // `trigger order|auto|…` chooses as `orders list` does.
      next: usage
        .split(' ')
        .slice(1, 2)
        .filter((word) => /^[a-z|]+$/.test(word))
        .flatMap((word) => word.split('|')),
      options: Object.keys({ ...options, ...COMMON }).map((name) => `--${name}`),
    }))
    const first = [...new Set(known.map(({ words: [word] }) => word!))]
    const second = first.flatMap((word) => {
      const next = known.flatMap(({ words: [before], next: after }) => (before === word ? after : []))
      return next.length > 0 ? [[word, next.join(' ')] as const] : []
    })
    if (shell !== 'bash' && shell !== 'zsh' && shell !== 'fish') throw new Failure(`dispatch ${this.usage}`, EXIT.usage)
    const zsh = shell === 'zsh' ? ['autoload -U +X bashcompinit && bashcompinit'] : []
    const lines = shell === 'fish' ? inFish(first, second, known) : [...zsh, ...inBash(first, second, known)]
    output.show({ shell, script: lines.join('\n') }, ...lines)
  },
})

interface Known {
  words: string[]
  options: string[]
}
type Second = ReadonlyArray<readonly [word: string, next: string]>

const inFish = (first: string[], second: Second, known: Known[]): string[] => [
  `complete -c dispatch -f -n __fish_use_subcommand -a '${first.join(' ')}'`,
  ...second.map(
    ([word, next]) =>
      `complete -c dispatch -f -n '__fish_seen_subcommand_from ${word}; and not __fish_seen_subcommand_from ${next}' -a '${next}'`,
  ),
  ...known.flatMap(({ words, options }) =>
    options.map(
      (option) =>
        `complete -c dispatch -n '${words.map((word) => `__fish_seen_subcommand_from ${word}`).join('; and ')}' -l ${option.slice(2)}`,
    ),
  ),
]

const inBash = (first: string[], second: Second, known: Known[]): string[] => [
  '_dispatch() {',
  '  local words=""',
  '  case "${COMP_WORDS[COMP_CWORD]}:$COMP_CWORD:${COMP_WORDS[1]} ${COMP_WORDS[2]}" in',
  // Of an option the command before it decides; a file is completed where nothing else is known.
  ...known.map(({ words, options }) => `    -*:*:"${words.join(' ')}"*) words="${options.join(' ')}" ;;`),
  `    *:1:*) words="${first.join(' ')}" ;;`,
  ...second.map(([word, next]) => `    *:2:"${word} "*) words="${next}" ;;`),
  '  esac',
  '  COMPREPLY=($(compgen -W "$words" -- "${COMP_WORDS[COMP_CWORD]}"))',
  '}',
  'complete -o default -F _dispatch dispatch',
]

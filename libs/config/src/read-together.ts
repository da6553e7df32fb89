import { ConfigError } from './parse-config.ts'

type Read<Readers> = { [Part in keyof Readers]: Readers[Part] extends () => infer Value ? Value : never }

/** What each reader makes of the environment; throws one ConfigError with the problems of all of them. */
export function readTogether<Readers extends Record<string, () => unknown>>(readers: Readers): Read<Readers> {
  const problems: string[] = []
  const read = Object.entries(readers).map(([part, reader]) => {
    try {
      return [part, reader()]
    } catch (error) {
      if (!(error instanceof ConfigError)) throw error
      problems.push(...error.problems)
      return [part, undefined]
    }
  })
  if (problems.length > 0) throw new ConfigError(problems)
  return Object.fromEntries(read) as Read<Readers>
}

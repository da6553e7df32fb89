import type { z } from 'zod'

/** The environment is not usable; `problems` names every variable that is wrong, never its value. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError'
  readonly problems: readonly string[]

  constructor(problems: readonly string[]) {
    super(`The configuration is not usable:\n${problems.map((problem) => `  ${problem}`).join('\n')}`)
    this.problems = problems
  }
}

const environmentName = (key: string) => key.replace(/([a-z0-9])([A-Z])/g, '$1_$2').toUpperCase()

/**
 * Reads the variables that `schema` names (`grpcPort` reads GRPC_PORT); throws one ConfigError that lists all problems.
 * An empty variable counts as absent, so defaults apply to it.
 */
export function parseConfig<S extends z.ZodObject>(schema: S, env: NodeJS.ProcessEnv = process.env): z.output<S> {
  const input: Record<string, string> = {}
  for (const key of Object.keys(schema.shape)) {
    const value = env[environmentName(key)]
    if (value !== undefined && value !== '') input[key] = value
  }

  const parsed = schema.safeParse(input)
  if (parsed.success) return parsed.data

  const problems = parsed.error.issues.map(({ path: [key, ...rest], message }) => {
    if (key === undefined) return message
    const name = [environmentName(String(key)), ...rest].join('.')
    return String(key) in input ? `${name}: ${message}` : `${name}: is missing`
  })
  throw new ConfigError(problems)
}

/** The secrets accepted from each calling process: the current one first, then the previous one. */
export interface CallerSecrets {
  [from: string]: readonly string[]
}

const MIN_SECRET_LENGTH = 32

const environmentName = (from: string, to: string) => `CALLER_SECRET_${from}_${to}`.toUpperCase().replaceAll('-', '_')

function parseSecrets(name: string, value: string): readonly string[] {
  const secrets = value
    .split(',')
    .map((secret) => secret.trim())
    .filter((secret) => secret !== '')
  if (secrets.length === 0 || secrets.some((secret) => secret.length < MIN_SECRET_LENGTH)) {
    throw new Error(`${name} must be current[,previous], each of at least ${MIN_SECRET_LENGTH} characters`)
  }
  return secrets
}

/** Every CALLER_SECRET_<FROM>_<TO> of the environment for this service, by the name of the calling process. */
export function callerSecretsFromEnv(to: string, env: NodeJS.ProcessEnv = process.env): CallerSecrets {
  const [prefix, suffix] = environmentName('*', to).split('*') as [string, string]
  const secrets: CallerSecrets = {}
  for (const [name, value] of Object.entries(env)) {
    if (!value || !name.startsWith(prefix) || !name.endsWith(suffix)) continue
    const from = name.slice(prefix.length, -suffix.length)
    if (from !== '') secrets[from.toLowerCase().replaceAll('_', '-')] = parseSecrets(name, value)
  }
  return secrets
}

/** The current secret with which process `from` signs its calls to `to`; throws when the environment has none. */
export function callerSecretFromEnv(from: string, to: string, env: NodeJS.ProcessEnv = process.env): string {
  const name = environmentName(from, to)
  const [current] = parseSecrets(name, env[name] ?? '')
  return current as string
}

import { ConfigError } from '@svc/config'
import { callersOf } from '@svc/contracts/calls'

/** The secrets accepted from each calling process: the current one first, then the previous one. */
export interface CallerSecrets {
  [from: string]: readonly string[]
}

const MIN_SECRET_LENGTH = 32

const upper = (name: string) => name.toUpperCase().replaceAll('-', '_')
const environmentName = (from: string, to: string) => `CALLER_SECRET_${upper(from)}_${upper(to)}`

function parseSecrets(name: string, value: string): readonly string[] {
  const secrets = value
    .split(',')
    .map((secret) => secret.trim())
    .filter((secret) => secret !== '')
  if (secrets.length === 0 || secrets.some((secret) => secret.length < MIN_SECRET_LENGTH)) {
    throw new ConfigError([
      value
        ? `${name}: must be current[,previous], each of at least ${MIN_SECRET_LENGTH} characters`
        : `${name}: is missing`,
    ])
  }
  return secrets
}

/** CALLER_SECRET_<FROM>_<TO> of the environment for this service, of each process that is to call it and of no other. */
export function callerSecretsFromEnv(to: string, env: NodeJS.ProcessEnv = process.env): CallerSecrets {
  const secrets: CallerSecrets = {}
  for (const from of callersOf(to)) {
    const name = environmentName(from, to)
    const value = env[name]
    if (value) secrets[from] = parseSecrets(name, value)
  }
  return secrets
}

/** The current secret with which process `from` signs its calls to `to`; throws when the environment has none. */
export function callerSecretFromEnv(from: string, to: string, env: NodeJS.ProcessEnv = process.env): string {
  const name = environmentName(from, to)
  const [current] = parseSecrets(name, env[name] ?? '')
  return current as string
}

/** The same for a peer that may be switched off: undefined where its address is `none`. */
export const peerSecretFromEnv = (
  from: string,
  to: string,
  env: NodeJS.ProcessEnv = process.env,
): string | undefined => (env[`${upper(to)}_GRPC_ADDRESS`] === 'none' ? undefined : callerSecretFromEnv(from, to, env))

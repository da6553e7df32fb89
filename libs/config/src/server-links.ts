import * as z from 'zod'
import { ConfigError, parseConfig } from './parse-config.ts'
import { nodeEnv } from './pieces.ts'

/** Which variables lead to servers, and what their URLs say where a link is encrypted and its other end verified. */
const VERIFIED = [
  {
    names: /^[A-Z]+_(DATABASE|WORKER|OWNER|ADMIN)_URL$/,
    how: 'sslmode=verify-full',
    isVerified: ({ searchParams }: URL) =>
      searchParams.has('sslmode') && searchParams.getAll('sslmode').every((mode) => mode === 'verify-full'),
  },
  { names: /^REDIS_URL$/, how: 'rediss://', isVerified: ({ protocol }: URL) => protocol === 'rediss:' },
  { names: /^KAFKA_BROKERS$/, how: 'kafkas://', isVerified: ({ protocol }: URL) => protocol === 'kafkas:' },
]
/** What stays on the machine. */
const LOOPBACK = /^(localhost|127\.[\d.]+|\[::1\])$/

/** What is wrong with the links to Postgres, Redis and Kafka that the environment names: a sentence for each that would be in the clear, or to whomever. */
export const linksInTheClear = (env: NodeJS.ProcessEnv): string[] =>
  VERIFIED.flatMap(({ names, how, isVerified }) =>
    Object.entries(env)
      .filter(([name, value = '']) => names.test(name) && !value.split(',').every((text) => isSafe(text, isVerified)))
      .map(([name]) => `${name}: the link is not encrypted and verified, which ${how} makes it`),
  )

function isSafe(text: string, isVerified: (url: URL) => boolean): boolean {
  const address = text.trim()
  const written = address.includes('://') ? address : `plain://${address}`
  if (!URL.canParse(written)) return address === ''
  const url = new URL(written)
  return LOOPBACK.test(url.hostname) || isVerified(url)
}

const schema = z.object({ nodeEnv, serversTls: z.literal('off').optional() })

/** In production each link to a server is encrypted and verified, unless SERVERS_TLS=off says that something else does it; throws a ConfigError. */
export function checkServerLinks(env: NodeJS.ProcessEnv = process.env): void {
  const { nodeEnv, serversTls } = parseConfig(schema, env)
  const problems = nodeEnv === 'production' && !serversTls ? linksInTheClear(env) : []
  if (problems.length > 0)
    throw new ConfigError([...problems, 'SERVERS_TLS=off says that something else encrypts them'])
}

import { createHash } from 'node:crypto'
import { type Secrets, secretsFrom } from '@svc/mesh'
import type { Container, Manifest } from './manifest.ts'

export interface Secret {
  apiVersion: 'v1'
  kind: 'Secret'
  type: 'Opaque'
  metadata: { name: string; namespace: string }
  stringData: Record<string, string>
}

type Reference = { name: string; key: string; optional?: boolean }

/** Every container of an overlay, those before the others included. */
export const containersOf = (manifests: readonly Manifest[]): Container[] =>
  manifests.flatMap(({ spec }) => [
    ...(spec?.template?.spec.initContainers ?? []),
    ...(spec?.template?.spec.containers ?? []),
  ])

/** What containers ask Secrets for. */
export const secretReferences = (containers: readonly Container[]): Reference[] =>
  containers
    .flatMap(({ env = [] }) => env.map(({ valueFrom }) => valueFrom?.secretKeyRef))
    .filter((reference) => reference !== undefined)

/**
 * The Secrets that an overlay with servers of its own refers to, all derived from one seed. What is optional is left out:
 * it belongs to providers.
 */
export function secretsFor(manifests: readonly Manifest[], seed: string): Secret[] {
  const secrets = secretsFrom(seed)
  const found = new Map<string, Secret>()
  for (const { name, key, optional } of secretReferences(containersOf(manifests))) {
    if (optional) continue
    const secret = found.get(name) ?? secretOf(name, {})
    secret.stringData[key] = valueOf(key, name, secrets)
    found.set(name, secret)
  }
  return [...found.values(), ...usersOfServers(manifests, secrets)]
}

/** The same, but for what says nothing about who comes to Redis and Kafka. */
export const usersFor = (manifests: readonly Manifest[], seed: string): Secret[] =>
  secretsFor(manifests, seed).flatMap((secret) => {
    const isOfUsers = (key: string) => secret.metadata.name.endsWith('-users') || USER_URL.test(key)
    const kept = Object.entries(secret.stringData).filter(([key]) => isOfUsers(key))
    return kept.length > 0 ? secretOf(secret.metadata.name, Object.fromEntries(kept)) : []
  })

const USER_URL = /^(REDIS_URL|KAFKA_BROKERS)$/
const REDIS_USER = 'mesh'
/** What a user of Redis may do: all but what an administrator does, and to ask how Redis is. */
export const REDIS_RIGHTS = '~* &* +@all -@admin -@dangerous +info'

/** Whom the servers of an overlay know, as files of `<server>-users`; Postgres is told by its provisioning. */
function usersOfServers(manifests: readonly Manifest[], secrets: Secrets): Secret[] {
  const services = secretReferences(containersOf(manifests)).filter(({ key }) => key === 'KAFKA_BROKERS')
  const known: Readonly<Record<string, () => Secret['stringData']>> = {
    'redis-users': () => ({ 'users.acl': redisUsers(secrets.redisPassword) }),
    'kafka-users': () => Object.fromEntries(services.map(({ name }) => [name, secrets.kafkaPassword(name)])),
  }
  const mounted = manifests.flatMap(({ spec }) => spec?.template?.spec.volumes ?? [])
  return Object.entries(known).flatMap(([name, users]) =>
    mounted.some(({ secret }) => secret?.secretName === name) ? secretOf(name, users()) : [],
  )
}

/** Who has not said who it is may ask whether Redis is there, as the probe does. */
function redisUsers(password: string): string {
  const digest = createHash('sha256').update(password).digest('hex')
  return `user default on nopass resetkeys resetchannels -@all +ping\nuser ${REDIS_USER} on #${digest} ${REDIS_RIGHTS}\n`
}

/** One of ours. */
export const secretOf = (name: string, stringData: Secret['stringData']): Secret => ({
  apiVersion: 'v1',
  kind: 'Secret',
  type: 'Opaque',
  metadata: { name, namespace: 'delivery-dispatch' },
  stringData,
})

/** By the authority that base mounts. */
const VERIFIED = '?sslmode=verify-full&sslrootcert=/etc/servers/ca.crt'
const ROLES: Readonly<Record<string, string>> = { OWNER: 'owner', DATABASE: 'app', WORKER: 'worker' }

/** Of a key of the Secret with that name, which is a process's. */
function valueOf(key: string, owner: string, secrets: Secrets): string {
  const [, service = '', kind = ''] = /^([A-Z]+)_(OWNER|DATABASE|WORKER)_URL$/.exec(key) ?? []
  const role = ROLES[kind]
  if (role) {
    const name = service.toLowerCase()
    return `postgres://${name}_${role}:${secrets.rolePassword(name, role)}@postgres:5432/${name}${VERIFIED}`
  }
  const [, from, to] = /^CALLER_SECRET_([A-Z]+)_([A-Z]+)$/.exec(key) ?? []
  if (from && to) return secrets.callerSecret(from.toLowerCase(), to.toLowerCase())
  const known: Readonly<Record<string, string>> = {
    POSTGRES_PASSWORD: secrets.superuserPassword,
    POSTGRES_ADMIN_URL: `postgres://postgres:${secrets.superuserPassword}@postgres:5432/postgres${VERIFIED}`,
    REDIS_URL: `rediss://${REDIS_USER}:${secrets.redisPassword}@redis:6379`,
    KAFKA_BROKERS: `kafkas://${owner}:${secrets.kafkaPassword(owner)}@kafka:9092`,
    API_KEY_PEPPER: secrets.apiKeyPepper,
    PASSWORD_PEPPER: secrets.passwordPepper,
    AUDIT_KEY: secrets.auditKey,
    TOKEN_SIGNING_JWK: JSON.stringify(secrets.tokenSigningJwk),
    OTP_PEPPER: secrets.otpPepper,
    KEY_ENCRYPTION_KEY: secrets.keyEncryptionKey,
  }
  const value = known[key]
  if (value === undefined) throw new Error(`nobody knows how to make ${key}`)
  return value
}

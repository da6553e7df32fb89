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
    const metadata = { name, namespace: 'delivery-dispatch' }
    const secret = found.get(name) ?? { apiVersion: 'v1', kind: 'Secret', type: 'Opaque', metadata, stringData: {} }
    secret.stringData[key] = valueOf(key, secrets)
    found.set(name, secret)
  }
  return [...found.values()]
}

/** By the authority that base mounts. */
const VERIFIED = '?sslmode=verify-full&sslrootcert=/etc/servers/ca.crt'
const ROLES: Readonly<Record<string, string>> = { OWNER: 'owner', DATABASE: 'app', WORKER: 'worker' }

function valueOf(key: string, secrets: Secrets): string {
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
    REDIS_URL: 'rediss://redis:6379',
    KAFKA_BROKERS: 'kafkas://kafka:9092',
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

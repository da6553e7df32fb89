import { CALLS } from '@svc/contracts/calls'
import { secretsFrom } from '@svc/mesh'

const ROLES = ['owner', 'app', 'worker'] as const

/** What compose.yaml takes from its environment, all of it derived from one seed. */
export function composeSecrets(seed: string): Record<string, string> {
  const secrets = secretsFrom(seed)
  const services = [...new Set(Object.values(CALLS).flat())]
  const passwords = services.flatMap((service) =>
    ROLES.map((role) => [`${service}_${role}_password`.toUpperCase(), secrets.rolePassword(service, role)]),
  )
  const callers = Object.entries(CALLS).flatMap(([from, all]) =>
    all.map((to) => [`caller_secret_${from}_${to}`.toUpperCase(), secrets.callerSecret(from, to)]),
  )
  return {
    POSTGRES_PASSWORD: secrets.superuserPassword,
    ...Object.fromEntries([...passwords, ...callers]),
    API_KEY_PEPPER: secrets.apiKeyPepper,
    PASSWORD_PEPPER: secrets.passwordPepper,
    AUDIT_KEY: secrets.auditKey,
    TOKEN_SIGNING_JWK: JSON.stringify(secrets.tokenSigningJwk),
    OTP_PEPPER: secrets.otpPepper,
    KEY_ENCRYPTION_KEY: secrets.keyEncryptionKey,
  }
}

import { createPrivateKey, hkdfSync } from 'node:crypto'
import { mintApiKey } from '@svc/credentials'

export type Secrets = ReturnType<typeof secretsFrom>

/** Everything secret of one mesh, derived from one seed: the same seed gives the same keys at every start. */
export function secretsFrom(seed: string) {
  const bytes = (label: string) => Buffer.from(hkdfSync('sha256', seed, '', label, 32))
  const text = (label: string) => bytes(label).toString('base64url')
  return {
    superuserPassword: text('superuser'),
    rolePassword: (service: string, role: string) => text(`role ${service} ${role}`),
    redisPassword: text('redis'),
    kafkaPassword: (service: string) => text(`kafka ${service}`),
    callerSecret: (from: string, to: string) => text(`caller ${from} ${to}`),
    apiKeyPepper: bytes('api key pepper').toString('base64'),
    passwordPepper: bytes('password pepper').toString('base64'),
    auditKey: `local:${bytes('audit key').toString('base64')}`,
    keyEncryptionKey: `local:${bytes('key encryption key').toString('base64')}`,
    tokenSigningJwk: ed25519Jwk(bytes('token signing key')),
    adminStaticToken: text('admin static token'),
    scimToken: text('scim token'),
    oidcClientSecret: text('oidc client secret'),
    mailApiKey: text('mail api key'),
    emailInboundSecret: `whsec_${bytes('email inbound secret').toString('base64')}`,
    messagingApiKey: text('messaging api key'),
    // The provider's keys tell test from live, and events count in the mode of the key alone.
    paymentsSecretKey: `sk_test_${text('payments secret key')}`,
    /** Merchants set it for their own account, as that of payments-b which the double signs for. */
    paymentsBSecret: text('payments b secret'),
    cloudAppSecret: text('cloud app secret'),
    otpPepper: bytes('otp pepper').toString('base64'),
    riderId: (number: number) => uuidOf(bytes(`rider ${number}`)),
    ownerPassword: text('owner password'),
    operatorPassword: (email: string) => text(`operator ${email}`),
    merchantId: uuidOf(bytes('merchant')),
    testApiKey: mintApiKey({ isTest: true, seed }).text,
    liveApiKey: mintApiKey({ isTest: false, seed }).text,
  }
}

/** The private key whose 32 secret bytes these are. */
function ed25519Jwk(secret: Buffer) {
  const pkcs8Prefix = Buffer.from('302e020100300506032b657004220420', 'hex')
  const key = createPrivateKey({ key: Buffer.concat([pkcs8Prefix, secret]), format: 'der', type: 'pkcs8' })
  return key.export({ format: 'jwk' })
}

/** A UUID of version 4 form. */
function uuidOf(bytes: Buffer): string {
  const hex = bytes.toString('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}

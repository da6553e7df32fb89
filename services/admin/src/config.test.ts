import { expect, test } from '@jest/globals'
import { problemsOf } from '@svc/testing/problems-of'
import { readConfig } from './config.ts'

test('told only where its servers and peers are, the process does not start, and all that is missing is named at once', () => {
  const addresses = {
    ADMIN_DATABASE_URL: 'postgres://app@db/admin',
    ADMIN_WORKER_URL: 'postgres://worker@db/admin',
    KAFKA_BROKERS: 'kafka:9092',
    REDIS_URL: 'redis://redis',
  }
  expect(problemsOf(readConfig, addresses)).toEqual(
    ['API_KEY_PEPPER', 'PASSWORD_PEPPER', 'AUDIT_KEY', 'TOKEN_SIGNING_JWK', 'MAIL_API_URL'].map(
      (name) => `${name}: is missing`,
    ),
  )
})

test.each([
  [{ MAIL_API_URL: 'https://mail.example' }, 'ACCOUNT_PAGES_URL: is missing'],
  [
    { MAIL_API_URL: 'https://mail.example', ACCOUNT_PAGES_URL: 'http://pages.example' },
    'ACCOUNT_PAGES_URL: must be https: what a mail links to holds a token',
  ],
  [
    { MAIL_API_URL: 'none', EMAIL_VERIFICATION_REQUIRED: 'on' },
    'MAIL_API_URL: must not be none where log-ins need a confirmed address: nobody could confirm one',
  ],
  [{ MERCHANT_OIDC_ISSUER: 'https://login.example' }, 'MERCHANT_OIDC_CLIENT_SECRET: is missing'],
  [{ OPERATOR_OIDC_SUCCESS_URL: 'https://console.example' }, 'OPERATOR_OIDC_ISSUER: is missing'],
  [{ OPERATOR_OIDC_ISSUER: 'http://login.example' }, 'OPERATOR_OIDC_ISSUER: must be https'],
  [{ MERCHANT_OIDC_SUCCESS_URL: 'http://app.example' }, 'MERCHANT_OIDC_SUCCESS_URL: must be https'],
  [{ MERCHANT_OIDC_SUCCESS_URL: 'javascript:alert(1)' }, 'MERCHANT_OIDC_SUCCESS_URL: must be https'],
  [
    { MERCHANT_OIDC_SUCCESS_URL: 'https://app.example/#here' },
    'MERCHANT_OIDC_SUCCESS_URL: must have neither a fragment nor a user',
  ],
  [{ MERCHANT_OIDC_ISSUER: 'https://login.example?a=b' }, 'MERCHANT_OIDC_ISSUER: must have no query'],
  [
    { OPERATOR_OIDC_REDIRECT_URL: 'https://api.example/v1/public/auth/merchant-oidc/callback' },
    'OPERATOR_OIDC_REDIRECT_URL: must end in /v1/admin/auth/oidc/callback',
  ],
])('%j does not start', (settings, problem) => {
  const secret = Buffer.alloc(32, 7).toString('base64')
  const environment = {
    ADMIN_DATABASE_URL: 'postgres://app@db/admin',
    ADMIN_WORKER_URL: 'postgres://worker@db/admin',
    KAFKA_BROKERS: 'kafka:9092',
    REDIS_URL: 'redis://redis',
    API_KEY_PEPPER: secret,
    PASSWORD_PEPPER: secret,
    AUDIT_KEY: `k1:${secret}`,
    TOKEN_SIGNING_JWK: JSON.stringify({ kty: 'OKP', crv: 'Ed25519', x: 'x', d: 'd' }),
    CALLER_SECRET_GATEWAY_ADMIN: 'x'.repeat(32),
    MAIL_API_URL: 'none',
  }
  expect(problemsOf(readConfig, { ...environment, ...settings })).toContain(problem)
})

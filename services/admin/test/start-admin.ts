import { randomBytes, randomUUID } from 'node:crypto'
import { expect } from '@jest/globals'
import { AccountServiceService } from '@svc/contracts/admin/v1/account_service'
import { ApiKeyServiceService } from '@svc/contracts/admin/v1/api_key_service'
import { AuditServiceService } from '@svc/contracts/admin/v1/audit_service'
import { CredentialServiceService } from '@svc/contracts/admin/v1/credential_service'
import { InquiryServiceService } from '@svc/contracts/admin/v1/inquiry_service'
import { KybServiceService } from '@svc/contracts/admin/v1/kyb_service'
import { MerchantServiceService } from '@svc/contracts/admin/v1/merchant_service'
import { OperatorServiceService } from '@svc/contracts/admin/v1/operator_service'
import { SignOnServiceService } from '@svc/contracts/admin/v1/sign_on_service'
import { SystemServiceService } from '@svc/contracts/admin/v1/system_service'
import { WorkspaceGrantServiceService } from '@svc/contracts/admin/v1/workspace_grant_service'
import { epochKey, parseApiKey, SCOPES } from '@svc/credentials'
import { type Caller, systemCaller } from '@svc/grpc'
import { adminCaller, serviceUnderTest, testClient } from '@svc/testing'
import { Redis } from 'ioredis'
import { exportJWK, generateKeyPair } from 'jose'
import { readConfig } from '../src/config.ts'
import { admin as adminDefinition } from '../src/service.ts'

export const STATIC_TOKEN = 'the-static-token-of-tests-0123456789'
export const PASSWORD = 'correct horse battery'

/** The admin service in this process, on databases and topics of its own, with clients for all of its rpcs. */
export async function startAdmin(settings: Record<string, string> = {}) {
  const { privateKey } = await generateKeyPair('EdDSA', { extractable: true })
  const secrets = {
    API_KEY_PEPPER: randomBytes(32).toString('base64'),
    PASSWORD_PEPPER: randomBytes(32).toString('base64'),
    AUDIT_KEY: `k1:${randomBytes(32).toString('base64')}`,
    TOKEN_SIGNING_JWK: JSON.stringify(await exportJWK(privateKey)),
    ADMIN_STATIC_TOKEN: STATIC_TOKEN,
    MAIL_API_URL: 'none',
  }
  const { service, env, database, worker, prefix, servers, stop } = await serviceUnderTest(adminDefinition, {
    settings: { ...secrets, ...settings },
  })
  const clients = clientsOf(service)
  const redis = new Redis(servers.redisUrl)

  return {
    ...clients,
    env,
    database,
    worker,
    service,
    epochOf: async (credential: Parameters<typeof epochKey>[0]) => redis.get(prefix + epochKey(credential)),
    forgetEpoch: (credential: Parameters<typeof epochKey>[0]) => redis.del(prefix + epochKey(credential)),
    async stop() {
      for (const client of Object.values(clients)) client.close()
      redis.disconnect()
      await stop()
    },
  }
}

function clientsOf(service: { address(): string }) {
  const channel = { address: service.address(), to: 'admin' }
  return {
    credentials: testClient(CredentialServiceService, channel),
    accounts: testClient(AccountServiceService, channel),
    merchants: testClient(MerchantServiceService, channel),
    apiKeys: testClient(ApiKeyServiceService, channel),
    kyb: testClient(KybServiceService, channel),
    inquiries: testClient(InquiryServiceService, channel),
    system: testClient(SystemServiceService, channel),
    operators: testClient(OperatorServiceService, channel),
    audit: testClient(AuditServiceService, channel),
    signOn: testClient(SignOnServiceService, channel),
    grants: testClient(WorkspaceGrantServiceService, channel),
  }
}

/** Another process of the same installation, with secrets of its own. */
export async function startReplica({ env }: Pick<Admin, 'env'>, settings: NodeJS.ProcessEnv) {
  const service = await adminDefinition.create(readConfig({ ...env, INSTANCE: 'replica', ...settings }))
  await service.start()
  const clients = clientsOf(service)
  return {
    ...clients,
    stop: async () => {
      for (const client of Object.values(clients)) client.close()
      await service.stop()
    },
  }
}

export type Admin = Awaited<ReturnType<typeof startAdmin>>

/** The gateway itself, before it knows who calls. */
export const gatewayCaller = (): Caller => systemCaller('gateway')

export function publicCaller(): Caller {
  return { kind: 'public', isTest: null, scopes: [], actor: { type: 'system', id: 'public' }, requestId: randomUUID() }
}

/** A merchant that has just signed up, and the caller that its default test key makes. */
export async function signUp(
  admin: Pick<Admin, 'merchants'>,
  overrides: { business_name?: string; email?: string } = {},
) {
  const email = `${randomUUID()}@example.com`
  const request = { business_name: 'Mama Put', email, password: PASSWORD, ...overrides }
  const signedUp = await admin.merchants.as(publicCaller()).signUpMerchant(request)
  const merchantId = signedUp.merchant!.id
  return { ...signedUp, merchantId, email: request.email, caller: keyCaller(merchantId, signedUp.api_key) }
}

/** Who the gateway says calls with this key. */
export function keyCaller(merchantId: string, apiKey: string, scopes: readonly string[] = SCOPES): Caller {
  const { keyId, isTest } = parseApiKey(apiKey)!
  return {
    kind: 'merchant',
    merchantId,
    isTest,
    scopes,
    actor: { type: 'merchant_key', id: keyId },
    credential: `key:${keyId}`,
    requestId: randomUUID(),
  }
}

/** Who the gateway says calls with a login's token. */
export function loginCaller(merchantId: string, userId: string = randomUUID()): Caller {
  return {
    kind: 'merchant',
    merchantId,
    isTest: null,
    scopes: SCOPES,
    actor: { type: 'merchant_user', id: userId },
    credential: `user:${userId}`,
    sessionId: randomUUID(),
    requestId: randomUUID(),
  }
}

/** Verdict on the text of a key, as the gateway asks for it. */
export function verify(admin: Pick<Admin, 'credentials'>, apiKey: string) {
  const { keyId, secretSha256 } = parseApiKey(apiKey)!
  return admin.credentials.as(gatewayCaller()).verifyApiKey({ key_id: keyId, secret_sha256: secretSha256 })
}

/** Verdicts on the texts of keys, asked for together. */
export async function verifyAll(admin: Admin, apiKeys: readonly string[]) {
  const keys = apiKeys.map((text) => {
    const { keyId, secretSha256 } = parseApiKey(text)!
    return { key_id: keyId, secret_sha256: secretSha256 }
  })
  return (await admin.credentials.as(gatewayCaller()).verifyApiKeys({ keys })).verdicts
}

export function patch(admin: Admin, id: string, fields: object, caller: Caller = adminCaller()) {
  return admin.merchants.as(caller).updateMerchant({ id, clear_fields: [], ...fields })
}

export const approve = (admin: Admin, id: string) =>
  patch(admin, id, { kyb_status: 'verified', business_approval_status: 'approved' })

/** Matches the error of a client by its code and, where given, its details. */
export function refusal(code: string, details?: object) {
  return expect.objectContaining({ code, ...(details ? { details: expect.objectContaining(details) } : {}) })
}

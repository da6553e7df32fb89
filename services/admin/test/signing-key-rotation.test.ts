import { expect, test } from '@jest/globals'
import { CredentialServiceService } from '@svc/contracts/admin/v1/credential_service'
import { verifyToken } from '@svc/credentials'
import { testClient } from '@svc/testing'
import { createLocalJWKSet, decodeProtectedHeader, exportJWK, generateKeyPair } from 'jose'
import { readConfig } from '../src/config.ts'
import { admin as adminDefinition } from '../src/service.ts'
import { type Admin, gatewayCaller, publicCaller, refusal, signUp, startAdmin } from './start-admin.ts'

async function newSigningKey(): Promise<string> {
  const { privateKey } = await generateKeyPair('EdDSA', { extractable: true })
  return JSON.stringify(await exportJWK(privateKey))
}

/** Another process of the same installation, with signing keys of its own. */
async function replica(admin: Admin, keys: NodeJS.ProcessEnv) {
  const service = await adminDefinition.create(readConfig({ ...admin.env, INSTANCE: 'replica', ...keys }))
  await service.start()
  const client = testClient(CredentialServiceService, { address: service.address(), to: 'admin' })
  const asked = client.as(publicCaller())
  const { jwks_json } = await client.as(gatewayCaller()).getJwks({})
  return {
    jwks: JSON.parse(jwks_json) as { keys: Array<{ kid: string }> },
    refresh: (token: string) => asked.refreshToken({ refresh_token: token }),
    async stop() {
      client.close()
      await service.stop()
    },
  }
}

test('a token outlives the rotation of the key that signed it, and not the removal of that key', async () => {
  const admin = await startAdmin()
  try {
    const [previous, current] = [admin.env['TOKEN_SIGNING_JWK'], await newSigningKey()]
    const { caller } = await signUp(admin)
    const { tokens: old } = await admin.credentials.as(caller).exchangeApiKey({})

    const rotated = await replica(admin, { TOKEN_SIGNING_JWK: current, TOKEN_PREVIOUS_JWK: previous })
    const kids = rotated.jwks.keys.map(({ kid }) => kid)
    expect(new Set(kids).size).toBe(2)
    expect(decodeProtectedHeader(old!.access_token).kid).toBe(kids[1])
    const keys = createLocalJWKSet(rotated.jwks)
    expect(await verifyToken('merchant', old!.access_token, keys)).toMatchObject({ ok: true })
    const { tokens: fresh } = await rotated.refresh(old!.refresh_token)
    expect(decodeProtectedHeader(fresh!.access_token).kid).toBe(kids[0])
    expect(await verifyToken('merchant', fresh!.access_token, keys)).toMatchObject({ ok: true })
    await rotated.stop()

    const settled = await replica(admin, { TOKEN_SIGNING_JWK: current })
    expect(settled.jwks.keys.map(({ kid }) => kid)).toEqual([kids[0]])
    await expect(settled.refresh(old!.refresh_token)).rejects.toEqual(refusal('unauthorized'))
    const left = createLocalJWKSet(settled.jwks)
    expect(await verifyToken('merchant', old!.access_token, left)).toMatchObject({ ok: false })
    await settled.stop()
  } finally {
    await admin.stop()
  }
})

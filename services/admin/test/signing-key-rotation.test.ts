import { expect, test } from '@jest/globals'
import { verifyToken } from '@svc/credentials'
import { createLocalJWKSet, decodeProtectedHeader } from 'jose'
import { newSigningKey } from '../src/security/signing-keys.ts'
import { type Admin, gatewayCaller, publicCaller, refusal, signUp, startAdmin, startReplica } from './start-admin.ts'

/** Another process of the same installation, with signing keys of its own. */
async function replica(admin: Admin, keys: NodeJS.ProcessEnv) {
  const { credentials, stop } = await startReplica(admin, keys)
  const asked = credentials.as(publicCaller())
  const { jwks_json } = await credentials.as(gatewayCaller()).getJwks({})
  return {
    jwks: JSON.parse(jwks_json) as { keys: Array<{ kid: string }> },
    refresh: (token: string) => asked.refreshToken({ refresh_token: token }),
    stop,
  }
}

test('a token outlives the rotation of the key that signed it, and not the removal of that key', async () => {
  const admin = await startAdmin()
  try {
    const [previous, current] = [admin.env['TOKEN_SIGNING_JWK'], JSON.stringify(await newSigningKey())]
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

test('a key that is known everywhere before it signs logs nobody out: at each step every replica takes what each other signs', async () => {
  const admin = await startAdmin()
  try {
    const [old, fresh] = [admin.env['TOKEN_SIGNING_JWK'], JSON.stringify(await newSigningKey())]
    const steps = [
      { TOKEN_SIGNING_JWK: old },
      { TOKEN_SIGNING_JWK: old, TOKEN_PREVIOUS_JWK: fresh },
      { TOKEN_SIGNING_JWK: fresh, TOKEN_PREVIOUS_JWK: old },
    ]
    const { caller } = await signUp(admin)
    for (const [i, before] of steps.slice(0, -1).entries()) {
      // While replicas are replaced one by one, some are a step behind.
      const [behind, ahead] = [await replica(admin, before), await replica(admin, steps[i + 1]!)]
      const { tokens } = await admin.credentials.as(caller).exchangeApiKey({})
      const byAhead = (await ahead.refresh(tokens!.refresh_token)).tokens!
      const byBehind = (await behind.refresh(byAhead.refresh_token)).tokens!
      for (const { jwks } of [behind, ahead])
        for (const { access_token } of [byAhead, byBehind])
          expect(await verifyToken('merchant', access_token, createLocalJWKSet(jwks))).toMatchObject({ ok: true })
      await behind.stop()
      await ahead.stop()
    }
  } finally {
    await admin.stop()
  }
})

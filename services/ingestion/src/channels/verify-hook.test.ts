import { createHmac } from 'node:crypto'
import { describe, expect, test } from '@jest/globals'
import type { Channel } from './channel.ts'
import { storefront } from './storefront.ts'
import { verifiedSigners } from './verify-hook.ts'

const { shared } = storefront({ prefix: 'x-', signature: 'signature', topic: /^orders$/, others: ['shop'] })
const body = Buffer.from('{"id":1}')

/** Of a shop that so many say is theirs, each with a secret of its own: who is believed, and how many secrets were tried. */
async function judged(claimants: number, signedWith: string) {
  let tries = 0
  const channel: Channel = {
    name: 'shops',
    ...shared,
    verify(signed, secrets) {
      tries += secrets.length
      return shared.verify(signed, secrets)
    },
    shopDomainOf: () => 'shop.example.com',
    read: () => null,
  }
  const claims = Array.from({ length: claimants }, (_, i) => ({
    merchantId: `merchant-${i + 1}`,
    number: i + 1,
    secrets: [`secret-${i + 1}`],
  }))
  const signature = createHmac('sha256', signedWith).update(body).digest('base64')
  const ctx = {
    channels: new Map([[channel.name, channel]]),
    refusals: { count: () => {} },
    shopClaims: async () => claims,
    verifyingSecrets: async () => null,
  }
  const hook = { channel: channel.name, headers: [{ name: 'x-signature', value: signature }], body }
  const told = await verifiedSigners(ctx, hook).then(
    ({ signers }) => signers.map(({ signer, counted }) => `${signer} as ${counted}`),
    (error: { code: string }) => error.code,
  )
  return { told, tries }
}

describe('of a shop', () => {
  test.each([0, 1, 2, 7, 8])(
    'that %i say is theirs a refusal comes after the same sixteen tries',
    async (claimants) => {
      expect(await judged(claimants, 'of nobody')).toEqual({ told: 'invalid_signature', tries: 16 })
    },
  )

  test('whoever signed is found among all who say so, after two tries of each', async () => {
    const told = ['merchant-3 as shop.example.com#3']
    expect(await judged(8, 'secret-3')).toEqual({ told, tries: 16 })
    expect(await judged(3, 'secret-3')).toEqual({ told, tries: 6 })
  })
})

import { createHmac } from 'node:crypto'
import { describe, expect, test } from '@jest/globals'
import type { Channel } from './channel.ts'
import { storefront } from './storefront.ts'
import { verifiedSigners } from './verify-hook.ts'

const { shared } = storefront({ prefix: 'x-', signature: 'signature', topic: /^orders$/, others: ['shop'] })
const body = Buffer.from('{"id":1}')

interface Told {
  /** As they are; of one merchant each. */
  secrets: readonly string[]
  /** As they were when they were read last. */
  remembered?: readonly string[]
  signedWith: string
}

/** Of a shop that merchants say is theirs: who is believed and why, how many secrets were tried, and whether claims were read. */
async function judged({ secrets, remembered, signedWith }: Told) {
  let [tries, isRead] = [0, false]
  const channel: Channel = {
    name: 'shops',
    ...shared,
    verify(signed, tried) {
      tries += tried.length
      return shared.verify(signed, tried)
    },
    shopDomainOf: () => 'shop.example.com',
    read: () => null,
  }
  const claimed = (of: readonly string[]) => ({
    claims: of.map((secret, i) => ({ merchantId: `merchant-${i + 1}`, number: i + 1, secrets: [secret] })),
    stamp: of.join(' ') || null,
  })
  const signature = createHmac('sha256', signedWith).update(body).digest('base64')
  const ctx = {
    channels: new Map([[channel.name, channel]]),
    refusals: { count: () => {} },
    shopClaims: {
      remembered: () => remembered && claimed(remembered),
      read: async () => {
        isRead = true
        return claimed(secrets)
      },
    },
    verifyingSecrets: async () => null,
  }
  const hook = { channel: channel.name, headers: [{ name: 'x-signature', value: signature }], body }
  const told = await verifiedSigners(ctx, hook).then(
    ({ signers, by }) => [...signers.map(({ signer, counted }) => `${signer} as ${counted}`), by?.stamp ?? 'read'],
    (error: { code: string }) => error.code,
  )
  return { told, tries, isRead }
}

const secretsOf = (claimants: number) => Array.from({ length: claimants }, (_, i) => `secret-${i + 1}`)

describe('of a shop', () => {
  test.each([0, 1, 2, 7, 8])(
    'that %i say is theirs a refusal comes after the same sixteen tries, whether they are remembered or not',
    async (claimants) => {
      const refused = { told: 'invalid_signature', tries: 16, isRead: true }
      const wrong = { secrets: secretsOf(claimants), signedWith: 'of nobody' }
      expect(await judged(wrong)).toEqual(refused)
      expect(await judged({ ...wrong, remembered: wrong.secrets })).toEqual(refused)
    },
  )

  test('whoever signed is found among all who say so, after two tries of each', async () => {
    const told = ['merchant-3 as shop.example.com#3', 'read']
    const signedWith = 'secret-3'
    expect(await judged({ secrets: secretsOf(8), signedWith })).toEqual({ told, tries: 16, isRead: true })
    expect(await judged({ secrets: secretsOf(3), signedWith })).toEqual({ told, tries: 6, isRead: true })
  })

  test('whoever is remembered is believed unread, as long as nothing has changed', async () => {
    const remembered = ['secret-1', 'secret-2']
    const told = ['merchant-2 as shop.example.com#2', 'secret-1 secret-2']
    expect(await judged({ secrets: [], remembered, signedWith: 'secret-2' })).toEqual({ told, tries: 4, isRead: false })
  })

  test('a secret that is not remembered yet is read', async () => {
    const now = { secrets: ['secret-1', 'newer'], remembered: ['secret-1', 'older'], signedWith: 'newer' }
    expect(await judged(now)).toMatchObject({ told: ['merchant-2 as shop.example.com#2', 'read'], isRead: true })
  })
})

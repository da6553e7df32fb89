import { signUp } from '../journeys/merchant.ts'

/** Mints test keys through the public API, at most 150 per merchant, since one key may make only 60 calls a minute. */
export async function mintTokens(baseUrl: string, count: number, webhookUrl?: string): Promise<string[]> {
  const tokens: string[] = []
  const perMerchant = 150
  for (let merchant = 0; tokens.length < count; merchant++) {
    const owner = await signUp(baseUrl, `127.0.${10 + Math.floor(merchant / 200)}.${1 + (merchant % 200)}`)
    if (webhookUrl) await owner.test.patch('/v1/me/outbound-webhook', { url: webhookUrl, enabled: true })
    for (let i = 0; i < perMerchant && tokens.length < count; i++) {
      const created = await owner.owner.post('/v1/me/api-keys', {
        is_test: true,
        scopes: ['orders:write', 'orders:read'],
      })
      if (created.status !== 201)
        throw new Error(`minting a key answered ${created.status}: ${JSON.stringify(created.body)}`)
      tokens.push(created.body.api_key)
    }
  }
  return tokens
}

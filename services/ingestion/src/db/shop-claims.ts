import { batched, type Database } from '@svc/database'
import type { SecretBox } from '@svc/sealing'
import { LOOK_UP, SECRETS, type SecretsRow, secretsIn } from './channel-settings.ts'

/** A merchant that says a shop is its own, which a hook proves by its secret. */
interface ShopClaim {
  merchantId: string
  /** From 1 to MAX_SHOP_CLAIMS. */
  number: number
  /** The current one first. */
  secrets: string[]
}

interface Shop {
  channel: string
  shopDomain: string
}

type ClaimRow = SecretsRow & Shop & Pick<ShopClaim, 'merchantId' | 'number'>

/** Who says that a shop is theirs; nobody for the domain of none. What is asked for at one moment shares a statement. */
export function sharedShopClaims(worker: Database['worker'], box: SecretBox) {
  const together = async (shops: readonly Shop[]): Promise<ClaimRow[][]> => {
    // Hooks that come together are often of one shop.
    const asked = [...new Map(shops.map((shop) => [nameOf(shop), shop])).values()]
    const { rows } = await worker.query<ClaimRow>({
      name: 'shop_claims',
      text: `SELECT merchant_id AS "merchantId", shop_claim AS number, channel, shop_domain AS "shopDomain", ${SECRETS}
               FROM channel_settings JOIN merchants ON merchants.id = merchant_id
              WHERE (channel, shop_domain) IN (SELECT * FROM unnest($1::text[], $2::text[]))
              ORDER BY shop_claim`,
      values: [asked.map(({ channel }) => channel), asked.map(({ shopDomain }) => shopDomain)],
    })
    const found = Map.groupBy(rows, nameOf)
    return shops.map((shop) => found.get(nameOf(shop)) ?? [])
  }
  const find = batched({ ...LOOK_UP, together, alone: async (shop: Shop) => (await together([shop]))[0] ?? [] })
  return async (shop: Shop): Promise<ShopClaim[]> =>
    (await find(shop)).map((row) => ({
      merchantId: row.merchantId,
      number: row.number,
      secrets: secretsIn(box, row, row),
    }))
}

const nameOf = ({ channel, shopDomain }: Shop): string => `${channel} ${shopDomain}`

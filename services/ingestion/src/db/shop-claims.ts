import { batched, type Database, Recent } from '@svc/database'
import { LOOK_UP, SECRETS, type SecretsRow, secretsIn } from './channel-settings.ts'
import type { OpenSecret } from './secret-opener.ts'

export interface Shop {
  channel: string
  shopDomain: string
}

/** A merchant that says a shop is its own, which a hook proves by its secret. */
export interface ShopClaim {
  merchantId: string
  /** From 1 to MAX_SHOP_CLAIMS. */
  number: number
  /** The current one first. */
  secrets: readonly string[]
}

/** Who says that a shop is theirs; nobody for the domain of none. */
export interface Claimed {
  claims: readonly ShopClaim[]
  /** Another text once any of them is different; null of nobody. */
  stamp: string | null
}

/** Claims that were believed though nobody has looked whether they still are. */
export type RememberedClaims = Shop & Pick<Claimed, 'stamp'>

export interface ShopClaims {
  /** As this process has read them last, which may be as they were: whoever believes them has their stamp looked at again. */
  remembered(shop: Shop): Claimed | undefined
  /** As they are. */
  read(shop: Shop): Promise<Claimed>
}

/**
 * What differs once a claim of a shop is made, given up, or verifies by another secret. Sealed secrets are never the same
 * twice. The arguments are expressions of the statement that it is written into.
 */
export const stampOf = ({ channel, shopDomain }: Shop): string => `
  (SELECT encode(sha256(convert_to(string_agg(ROW(merchant_id, shop_claim, secret, previous_secret,
                 previous_secret_expires_at > app_now())::text, ' ' ORDER BY shop_claim), 'UTF8')), 'hex')
     FROM channel_settings settings JOIN merchants ON merchants.id = settings.merchant_id
    WHERE settings.channel = ${channel} AND settings.shop_domain = ${shopDomain})`

type ClaimRow = SecretsRow & Shop & Pick<ShopClaim, 'merchantId' | 'number'> & { stamp: string }

/** The claims of shops. What is read at one moment shares a statement. */
export function shopClaims(worker: Database['worker'], openSecret: OpenSecret): ShopClaims {
  const known = new Recent<Claimed>()
  const together = async (shops: readonly Shop[]): Promise<ClaimRow[][]> => {
    // Hooks that come together are often of one shop.
    const asked = [...new Map(shops.map((shop) => [nameOf(shop), shop])).values()]
    const { rows } = await worker.query<ClaimRow>({
      name: 'shop_claims',
      text: `SELECT merchant_id AS "merchantId", shop_claim AS number, channel, shop_domain AS "shopDomain", ${SECRETS}, stamp
               FROM (SELECT channel, shop_domain, ${stampOf({ channel: 'one.channel', shopDomain: 'one.shop_domain' })} AS stamp
                       FROM unnest($1::text[], $2::text[]) AS one (channel, shop_domain)) asked
               JOIN channel_settings USING (channel, shop_domain) JOIN merchants ON merchants.id = merchant_id
              ORDER BY shop_claim`,
      values: [asked.map(({ channel }) => channel), asked.map(({ shopDomain }) => shopDomain)],
    })
    const found = Map.groupBy(rows, nameOf)
    return shops.map((shop) => found.get(nameOf(shop)) ?? [])
  }
  const find = batched({ ...LOOK_UP, together, alone: async (shop: Shop) => (await together([shop]))[0] ?? [] })
  return {
    remembered: (shop) => known.get(nameOf(shop)),
    async read(shop) {
      const rows = await find(shop)
      const claims = rows.map((row) => ({
        merchantId: row.merchantId,
        number: row.number,
        secrets: secretsIn(openSecret, row, row),
      }))
      const claimed = { claims, stamp: rows[0]?.stamp ?? null }
      // Anybody may name what is nobody's shop: of that nothing is remembered.
      if (claims.length > 0) known.set(nameOf(shop), claimed)
      else known.delete(nameOf(shop))
      return claimed
    },
  }
}

const nameOf = ({ channel, shopDomain }: Shop): string => `${channel} ${shopDomain}`

import { IndexMigration } from '@svc/database'

/** By a shop's domain its merchant is found, so it is one merchant's. */
export class ShopDomains extends IndexMigration {
  protected override readonly indexes = [
    {
      name: 'channel_settings_shop_domain',
      on: 'channel_settings (channel, shop_domain) WHERE shop_domain IS NOT NULL',
      isUnique: true,
    },
  ] as const
}

import { IndexMigration, SqlMigration } from '@svc/database'

/** As which of those that say a shop is theirs a merchant is known: the first until now, as there was one. */
export class ShopClaimNumbers extends SqlMigration {
  override up(): void {
    this.addSql(`
ALTER TABLE channel_settings ADD COLUMN shop_claim smallint NOT NULL DEFAULT 1;
COMMENT ON COLUMN channel_settings.shop_claim IS
  'Nobody proves that a shop is his own until it signs a hook: so several may say so, each under a number of its own.';
`)
  }
}

/** Who says first that a shop is his own keeps nobody else from saying so. */
export class ShopClaims extends IndexMigration {
  protected override readonly indexes = [
    {
      name: 'channel_settings_shop_claim',
      on: 'channel_settings (channel, shop_domain, shop_claim) WHERE shop_domain IS NOT NULL',
      isUnique: true,
    },
  ] as const
  protected override readonly replaced = ['channel_settings_shop_domain'] as const
}

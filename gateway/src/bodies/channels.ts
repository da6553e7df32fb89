/** Third parties whose hooks tell of orders, so that a merchant may see what one would come to. */
export const ORDER_CHANNELS = ['storefront-a', 'storefront-b', 'payments-a', 'payments-b', 'email-a'] as const

/** Third parties whose hooks a merchant may connect. Beside this table a channel has its doors in routes/webhooks.ts alone. */
export const CHANNELS = ['messaging-a', ...ORDER_CHANNELS] as const

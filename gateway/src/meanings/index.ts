import { OF_DISPATCH } from './dispatch.ts'
import { OF_MERCHANTS } from './merchant.ts'
import { OF_MONEY } from './money.ts'
import { OF_ORDERS } from './order.ts'
import { OF_PARAMETERS } from './parameters.ts'
import { OF_ANYTHING, OF_OPERATIONS } from './pieces.ts'
import { OF_TAGS } from './tags.ts'
import { OF_WEBHOOKS } from './webhook.ts'

/**
 * What names mean, in openapi.json: `total`, or where a name means something else at one place, `Order.source` or
 * `createOrder.source` of a component or an operation. A schema that describes itself needs none. Of parameters `?limit` of
 * a query, `{orderId}` of a path, `limit:` of a header.
 */
export const MEANINGS: Readonly<Record<string, string>> = {
  ...OF_ANYTHING,
  ...OF_OPERATIONS,
  ...OF_ORDERS,
  ...OF_DISPATCH,
  ...OF_MONEY,
  ...OF_WEBHOOKS,
  ...OF_MERCHANTS,
  ...OF_PARAMETERS,
}

export { OF_TAGS }

import type { JsonObject } from '@svc/exact-json'
import { isUuid } from '@svc/inputs'
import type { Hook } from '../../domain/hook.ts'
import type { OrderBeside } from '../channel.ts'
import { checkoutOrder, tellsOfDelivery } from '../checkout-order.ts'
import { currencyIn, firstText, idIn, instantIn, objectIn, objectsIn, textIn } from '../mapping.ts'
import type { Normalized } from '../normalizer.ts'
import { readKept } from '../read-kept.ts'

const CHARGE = 'charge.success'

/**
 * Whose order a payment is for, of which nothing became in the wallet. What a merchant's own secret signed is about its own
 * account; what the platform's signed is for the merchant that the checkout has written into it, and the address agrees.
 */
export function paidOrderIn(hook: Pick<Hook, 'signer' | 'pathMerchantId' | 'body'>): OrderBeside | null {
  const body = readKept(hook.body)
  if (!body || body['event'] !== CHARGE) return null
  const data = objectIn(body['data'])
  if (!tellsOfDelivery(fieldsIn(data['metadata']))) return null
  const externalOrderId = idIn(data['reference'])
  const { signer, pathMerchantId } = hook
  if (signer !== 'platform') return { merchantId: signer, externalOrderId }
  const named = merchantIn(data['metadata']) ?? merchantIn(objectIn(data['customer'])['metadata'])
  if (named === null) return null
  return pathMerchantId === null || pathMerchantId === named
    ? { merchantId: named, externalOrderId }
    : { refused: 'tenant_mismatch' }
}

/** The order that a payment is for: paid, for its signature says so. */
export function normalizePaymentsA(body: JsonObject): Normalized {
  const data = objectIn(body['data'])
  const fields = fieldsIn(data['metadata'])
  if (body['event'] !== CHARGE || data['status'] !== 'success' || !tellsOfDelivery(fields))
    return { outcome: 'ignored', reason: 'event_not_used' }
  const externalOrderId = idIn(data['reference'])
  if (externalOrderId === null) return { outcome: 'dead_letter', reason: 'missing_reference', field: 'reference' }
  const [amount, currency] = [amountIn(data['amount']), currencyIn(data['currency'])]
  if (amount === null || currency === null)
    return { outcome: 'dead_letter', reason: 'unreadable_amount', field: 'amount' }

  const { first_name, last_name, phone, international_format_phone } = objectIn(data['customer'])
  const payer = {
    name: firstText([textIn(first_name), textIn(last_name)].filter((part) => part !== null).join(' ')),
    phones: [phone, international_format_phone],
  }
  const order = checkoutOrder(fields, payer, `Paid: ${amount} ${currency} (${externalOrderId})`)
  if ('lacks' in order)
    return order.lacks === 'address'
      ? { outcome: 'dead_letter', reason: 'missing_address', field: 'standardized.dropoff_address' }
      : { outcome: 'dead_letter', reason: 'missing_phone', field: 'standardized.customer_phone' }
  const isTest = data['domain'] === 'test'
  const toldAt = instantIn(data['paid_at']) ?? instantIn(data['created_at'])
  return { outcome: 'order', externalOrderId, isTest, toldAt, paymentVerified: true, order }
}

/** Of every currency the provider counts hundredth parts. */
function amountIn(value: unknown): string | null {
  const text = textIn(value)
  if (text === null || !/^\d{1,15}$/.test(text)) return null
  const digits = text.padStart(3, '0')
  return `${digits.slice(0, -2).replace(/^0+(?=\d)/, '')}.${digits.slice(-2)}`
}

/** It comes as an object, as the JSON text of one, and as 0, "" or null where there is none. */
const metadataIn = (value: unknown): JsonObject =>
  typeof value === 'string' ? (readKept(Buffer.from(value)) ?? {}) : objectIn(value)

/** What the checkout has written into it, by name: plainly, or in the list that the provider shows to people. */
function fieldsIn(value: unknown): JsonObject {
  const metadata = metadataIn(value)
  const shown = objectsIn(metadata['custom_fields']).flatMap(({ variable_name, value: said }) => {
    const name = textIn(variable_name)
    return name === null ? [] : [[name.toLowerCase().replaceAll(/[\s-]+/g, '_'), said] as const]
  })
  return { ...Object.fromEntries(shown), ...metadata }
}

function merchantIn(value: unknown): string | null {
  const id = metadataIn(value)['merchant_id']
  return typeof id === 'string' && isUuid(id) ? id.toLowerCase() : null
}

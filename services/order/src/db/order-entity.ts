import { defineEntity, p, Type } from '@mikro-orm/postgresql'
import type { Eta } from '../domain/eta.ts'
import { Order } from '../domain/order.ts'

/** A json column as its text, so that the digits of numbers stay as they came. */
class JsonText extends Type<string, string> {
  override convertToJSValueSQL(column: string): string {
    return `${column}::text`
  }
  override getColumnType(): string {
    return 'json'
  }
}

/** How the table `orders` maps to the domain's Order. Rows are inserted by the SQL function create_order. */
export const OrderEntity = defineEntity({
  class: Order,
  tableName: 'orders',
  properties: {
    id: p.uuid().primary(),
    merchantId: p.uuid(),
    isTest: p.boolean(),
    source: p.text(),
    externalOrderId: p.text(),
    status: p.text(),
    paymentVerified: p.boolean(),
    unifiedJson: p.type(JsonText),
    riderId: p.uuid().nullable(),
    riderName: p.text().nullable(),
    riderPhone: p.text().nullable(),
    riderVehicleType: p.text().nullable(),
    pickupLat: p.double().nullable(),
    pickupLng: p.double().nullable(),
    dropoffLat: p.double().nullable(),
    dropoffLng: p.double().nullable(),
    scheduledPickupAt: p.datetime(),
    deliveryWindowStart: p.datetime(),
    deliveryWindowEnd: p.datetime(),
    vehicleTypeHint: p.text().nullable(),
    vehicleTypeSource: p.text().nullable(),
    trackingToken: p.text().nullable(),
    eta: p.json<Eta>().nullable(),
    announcedEta: p.json<Eta>().nullable(),
    feeMinor: p.bigint('number').nullable(),
    currency: p.text().nullable(),
    quoteId: p.uuid().nullable(),
    rateCardId: p.uuid().nullable(),
    rateCardVersion: p.integer().nullable(),
    cancelledAt: p.datetime().nullable(),
    terminalAt: p.datetime().nullable(),
    settlingId: p.uuid().nullable(),
    commissionState: p.text().$type<Order['commissionState']>().nullable(),
    commissionAttempt: p.integer().nullable(),
    settlementAttempts: p.integer(),
    requestFingerprint: p.blob(),
    version: p.integer(),
    assignmentVersion: p.integer(),
    createdAt: p.datetime(),
    updatedAt: p.datetime(),
  },
})

import { IntakeServiceService } from '@svc/contracts/order/v1/intake_service'
import { ServiceError } from '@svc/errors'
import { type By, grpcClient } from '@svc/grpc'
import type { Part } from '@svc/lifecycle'
import type { Config } from '../config.ts'
import type { Standing } from './merchants.ts'

/** By what a third party's order is known. */
export interface OrderKey {
  merchantId: string
  /** Null: either environment. */
  isTest: boolean | null
  source: string
  externalOrderId: string
}

export interface NewOrder {
  key: OrderKey
  rawPayloadJson: string
  standardized: object
  paymentVerified: boolean
  standing: Standing
}

/** What this service asks of order. Every refusal is a ServiceError. */
export interface Orders {
  ingest(by: By, order: NewOrder): Promise<{ orderId: string; idempotent: boolean; paymentVerified: boolean }>
  markPayment(by: By, key: OrderKey, paymentVerified: boolean): Promise<string>
  cancel(by: By, key: OrderKey, reason: string): Promise<string>
}

const unreached = async () => {
  throw new ServiceError('service_unavailable')
}

/** In the place of the order service where none is wanted: what hooks tell of waits for one. */
const noOrders: Orders & Part = {
  name: 'orders',
  ingest: unreached,
  markPayment: unreached,
  cancel: unreached,
  async stop() {},
}

/** The order service behind gRPC. */
export function connectOrders({ orderGrpcAddress: address, orderCallerSecret: secret }: Config): Orders & Part {
  if (address === undefined || secret === undefined) return noOrders
  const intake = grpcClient(IntakeServiceService, { address, from: 'ingestion', to: 'order', secret })
  return {
    name: 'orders',
    async ingest(by, { key, rawPayloadJson, standardized, paymentVerified, standing }) {
      const made = await intake.as(by.caller, { within: by }).ingestOrder({
        key: keyMessage(key),
        raw_payload_json: rawPayloadJson,
        standardized_json: JSON.stringify(standardized),
        payment_verified: paymentVerified,
        billing_status: standing.billingStatus,
        kyb_status: standing.kybStatus,
        business_approval_status: standing.businessApprovalStatus,
      })
      return { orderId: made.order_id, idempotent: made.idempotent, paymentVerified: made.payment_verified }
    },
    async markPayment(by, key, payment_verified) {
      const marked = { key: keyMessage(key), payment_verified }
      return (await intake.as(by.caller, { within: by }).updateIngestedOrder(marked)).order_id
    },
    async cancel(by, key, reason) {
      return (await intake.as(by.caller, { within: by }).cancelIngestedOrder({ key: keyMessage(key), reason })).order_id
    },
    async stop() {
      intake.close()
    },
  }
}

const keyMessage = ({ merchantId, isTest, source, externalOrderId }: OrderKey) => ({
  merchant_id: merchantId,
  is_test: isTest ?? undefined,
  source,
  external_order_id: externalOrderId,
})

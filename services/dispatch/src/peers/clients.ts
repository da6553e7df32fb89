import { CredentialServiceService } from '@svc/contracts/admin/v1/credential_service'
import { MerchantServiceService } from '@svc/contracts/admin/v1/merchant_service'
import { FulfilmentServiceService } from '@svc/contracts/order/v1/fulfilment_service'
import { OrderServiceService } from '@svc/contracts/order/v1/order_service'
import { grpcClient } from '@svc/grpc'
import type { Config } from '../config.ts'

/** Whom dispatch asks: order about its orders, admin about tokens and merchants. */
export function createClients(config: Config) {
  const from = 'dispatch'
  const order = { address: config.orderGrpcAddress, from, to: 'order', secret: config.orderCallerSecret }
  const admin = { address: config.adminGrpcAddress, from, to: 'admin', secret: config.adminCallerSecret }
  return {
    orders: grpcClient(OrderServiceService, order),
    fulfilment: grpcClient(FulfilmentServiceService, order),
    credentials: grpcClient(CredentialServiceService, admin),
    merchants: grpcClient(MerchantServiceService, admin),
  }
}

export type Clients = ReturnType<typeof createClients>

import { MerchantServiceService } from '@svc/contracts/admin/v1/merchant_service'
import { type Client, grpcClient } from '@svc/grpc'
import type { Config } from '../config.ts'

export interface Clients {
  /** Who knows a merchant's owner; null where the operator has not said where admin is. */
  merchants: Client<typeof MerchantServiceService> | null
}

/** Whom the wallet asks: admin about merchants. */
export function createClients({ adminGrpcAddress: address, adminCallerSecret: secret }: Config): Clients {
  if (address === undefined || secret === undefined) return { merchants: null }
  return { merchants: grpcClient(MerchantServiceService, { address, from: 'wallet', to: 'admin', secret }) }
}

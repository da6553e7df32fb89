import { KybServiceService } from '@svc/contracts/admin/v1/kyb_service'
import { MerchantServiceService } from '@svc/contracts/admin/v1/merchant_service'
import { OperatorServiceService } from '@svc/contracts/admin/v1/operator_service'
import { RiderServiceService } from '@svc/contracts/dispatch/v1/rider_service'
import { type Client, grpcClient } from '@svc/grpc'
import type { Config } from '../config.ts'

/** Whom the wallet asks; null where the operator has said that there is no such service. */
export interface Clients {
  /** Who knows a merchant's owner. */
  merchants: Client<typeof MerchantServiceService> | null
  /** Who keeps how the verification of a business stands. */
  kyb: Client<typeof KybServiceService> | null
  /** Who knows which operators are one person. */
  operators: Client<typeof OperatorServiceService> | null
  /** Who knows whether a rider is approved. */
  riders: Client<typeof RiderServiceService> | null
}

/** Whom the wallet asks: admin about merchants and operators, dispatch about riders. */
export function createClients(config: Config): Clients {
  const admin = link('admin', config.adminGrpcAddress, config.adminCallerSecret)
  const dispatch = link('dispatch', config.dispatchGrpcAddress, config.dispatchCallerSecret)
  return {
    merchants: admin && grpcClient(MerchantServiceService, admin),
    kyb: admin && grpcClient(KybServiceService, admin),
    operators: admin && grpcClient(OperatorServiceService, admin),
    riders: dispatch && grpcClient(RiderServiceService, dispatch),
  }
}

const link = (to: string, address: string | undefined, secret: string | undefined) =>
  address === undefined || secret === undefined ? null : { address, from: 'wallet', to, secret }

/** Ends all connections. */
export const closeClients = ({ merchants, kyb, operators, riders }: Clients): void => {
  for (const client of [merchants, kyb, operators, riders]) client?.close()
}

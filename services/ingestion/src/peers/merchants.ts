import { MerchantServiceService } from '@svc/contracts/admin/v1/merchant_service'
import { ServiceError } from '@svc/errors'
import { type By, grpcClient } from '@svc/grpc'
import type { Part } from '@svc/lifecycle'
import type { Config } from '../config.ts'

/** Where a merchant stands, as order judges it. */
export interface Standing {
  billingStatus: string
  kybStatus: string
  businessApprovalStatus: string
}

/** What this service asks of admin. */
export interface Merchants {
  standingOf(by: By, merchantId: string): Promise<Standing>
}

/** Admin behind gRPC, asked once for those that ask at one moment; where none is wanted nobody's standing is known. */
export function connectMerchants({ adminGrpcAddress: address, adminCallerSecret: secret }: Config): Merchants & Part {
  const merchants =
    address === undefined || secret === undefined
      ? null
      : grpcClient(MerchantServiceService, { address, from: 'ingestion', to: 'admin', secret })
  const asked = new Map<string, Promise<Standing>>()
  const ask = async (by: By, id: string): Promise<Standing> => {
    if (!merchants) throw new ServiceError('service_unavailable')
    const { merchant } = await merchants.as(by.caller, { within: by }).getMerchant({ id, include_kyb_payload: false })
    if (!merchant) throw new ServiceError('not_found')
    return {
      billingStatus: merchant.billing_status,
      kybStatus: merchant.kyb_status,
      businessApprovalStatus: merchant.business_approval_status,
    }
  }
  return {
    name: 'merchants',
    standingOf(by, id) {
      const asking = asked.get(id) ?? ask(by, id).finally(() => asked.delete(id))
      asked.set(id, asking)
      return asking
    },
    async stop() {
      merchants?.close()
    },
  }
}

import type { Permission } from '@svc/credentials'
import type { MerchantPatch } from './merchant.ts'

/** What a patch of a merchant takes: approval is a permission of its own, everything else is writing. */
export function permissionsFor({ businessApprovalStatus, ...settings }: MerchantPatch): Permission[] {
  const approves = businessApprovalStatus !== undefined
  const writes = !approves || Object.values(settings).some((value) => value !== undefined)
  return [
    ...(writes ? (['admin.merchants.write'] as const) : []),
    ...(approves ? (['admin.merchants.approve'] as const) : []),
  ]
}

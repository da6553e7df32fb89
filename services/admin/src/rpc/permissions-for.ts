import type { UpdateMerchantRequest } from '@svc/contracts/admin/v1/merchant_service'
import type { Permission } from '@svc/credentials'

/** What a patch of a merchant takes: approval is a permission of its own, everything else is writing. */
export function permissionsFor({
  id: _id,
  clear_fields,
  business_approval_status,
  ...settings
}: UpdateMerchantRequest): Permission[] {
  const approves = business_approval_status !== undefined
  const writes = clear_fields.length > 0 || Object.values(settings).some((value) => value !== undefined) || !approves
  return [
    ...(writes ? (['admin.merchants.write'] as const) : []),
    ...(approves ? (['admin.merchants.approve'] as const) : []),
  ]
}

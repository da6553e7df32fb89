import type { CustomRole as CustomRoleMessage } from '@svc/contracts/admin/v1/operator_service'
import type { CustomRole } from '../domain/custom-role.ts'
import { permissionsOf } from '../domain/operator.ts'

export function customRoleMessage(role: CustomRole): CustomRoleMessage {
  return {
    id: role.id,
    label: role.label,
    permission_keys: permissionsOf(role.permissionKeys),
    created_at: role.createdAt.toISOString(),
    updated_at: role.updatedAt.toISOString(),
  }
}

import type { RpcReplies } from '../rpc-replies.ts'
import { at, id, page } from './pieces.ts'

export const adminToken = { token: { access_token: 'a', expires_in: 3600, permissions: ['admin.orders.read'] } }

const customRole = { id, label: 'Support', permission_keys: ['admin.orders.read'], created_at: at, updated_at: at }

const identity = {
  id,
  email: 'operator@example.com',
  role: 'administrator',
  permissions: [],
  created_at: at,
  last_login_at: at,
  custom_role_id: id,
}

const auditLog = {
  id,
  seq: 7,
  at,
  actor_type: 'admin',
  actor_id: id,
  on_behalf_of: id,
  merchant_id: id,
  action: 'merchant.update',
  resource_type: 'merchant',
  resource_id: id,
  ip: '127.0.0.1',
  request_id: 'r',
  trace_id: 't',
  before_json: '{"billing_status":"active"}',
  after_json: '{"amount":12345678901234567890}',
}

export const operatorReplies = {
  exchangeAdminToken: adminToken,
  logInOperator: adminToken,
  changeOperatorPassword: {},
  listIdentities: { items: [identity], ...page },
  createIdentity: { identity },
  listCustomRoles: { items: [customRole], ...page },
  createCustomRole: { custom_role: customRole },
  updateCustomRole: { custom_role: customRole },
  deleteCustomRole: {},
  assignCustomRole: { identity },
  deleteIdentity: {},
  listAuditLogs: { logs: [auditLog], ...page },
  exportAuditLogs: { logs: [auditLog], next_seq: undefined, is_truncated: true },
} satisfies Partial<RpcReplies>

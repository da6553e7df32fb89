import type { WalletServiceService } from '@svc/contracts/wallet/v1/wallet_service'
import { ServiceError } from '@svc/errors'
import { type Call, type Handlers, requireAdmin, requireMerchant, type Tenant } from '@svc/grpc'
import { pageOf, resourceId, uuidField } from '@svc/inputs'
import type { Context } from '../context.ts'
import { requireAmount } from '../domain/amount.ts'
import { entryMessage, escrowMessage, walletMessage } from '../messages/wallet.ts'
import { checkFunds } from '../use-cases/check-funds.ts'
import { getNamedRiderWallet, getRiderWallet } from '../use-cases/get-rider-wallet.ts'
import { getMerchantWallet, getWallet } from '../use-cases/get-wallet.ts'
import { listEscrowLedger } from '../use-cases/list-escrow-ledger.ts'
import type { Statement } from '../use-cases/read-wallet.ts'
import { setTestWallet } from '../use-cases/set-test-wallet.ts'

const READ = 'admin.ledger.read'

/** The rpcs of wallets. */
export function walletService(ctx: Context): Handlers<typeof WalletServiceService> {
  return {
    async getWallet({ merchant_id, ...asked }, call) {
      const page = pageOf(asked)
      if (merchant_id === undefined) return statement(await getWallet(ctx, requireMerchant(call), page), page)
      requireAdmin(call, READ)
      return statement(await getMerchantWallet(ctx, resourceId(merchant_id), page), page)
    },

    async getRiderWallet({ rider_id, ...asked }, call) {
      const page = pageOf(asked)
      if (rider_id === undefined) return statement(await getRiderWallet(ctx, riderOf(call), page), page)
      requireAdmin(call, READ)
      return statement(await getNamedRiderWallet(ctx, resourceId(rider_id), page), page)
    },

    async listEscrowLedger({ order_id, entry_type, ...asked }, call) {
      const page = pageOf(asked)
      const orderId = order_id === undefined ? undefined : uuidField('order_id', order_id)
      const filter = { orderId, entryType: entry_type }
      const { items, total } = await listEscrowLedger(ctx, requireMerchant(call), filter, page)
      return { items: items.map(escrowMessage), total, ...page }
    },

    async checkFunds(request, call) {
      const required_minor = requireAmount('required_minor', request.required_minor, { min: 0 })
      const { sufficient, availableMinor, currency } = await checkFunds(ctx, payerOf(call, request), required_minor)
      return { sufficient, required_minor, balance_minor: availableMinor, currency }
    },

    async setTestWallet({ balance_minor }, call) {
      requireMerchant(call)
      const balanceMinor = requireAmount('balance_minor', balance_minor, { min: 0 })
      return { wallet: walletMessage(await setTestWallet(ctx, call.caller, balanceMinor)) }
    },
  }
}

function statement({ wallet, entries }: Statement, page: { limit: number; offset: number }) {
  const ledger_transactions = entries.map((entry) => entryMessage(wallet, entry))
  return { wallet: walletMessage(wallet), ledger_transactions, total: wallet.entries, ...page }
}

function riderOf({ caller }: Call): { id: string; isTest: boolean } {
  if (caller.kind !== 'rider') throw new ServiceError('forbidden')
  return { id: resourceId(caller.actor.id), isTest: caller.isTest ?? false }
}

/** A merchant is itself; a service names the one it asks about. */
function payerOf(call: Call, named: { merchant_id?: string; is_test?: boolean }): Tenant {
  if (call.caller.kind !== 'system') return requireMerchant(call)
  return { merchantId: uuidField('merchant_id', named.merchant_id), isTest: named.is_test ?? false }
}

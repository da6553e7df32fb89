import { WalletServiceService } from '@svc/contracts/wallet/v1/wallet_service'
import { either, merchant, money, operator, rider, rpc, service, serving } from '@svc/grpc'
import { amountMinor, idField, pageFields } from '@svc/inputs'
import * as z from 'zod'
import type { Context } from '../context.ts'
import { ESCROW_ENTRY_TYPES } from '../domain/operation.ts'
import { escrowMessage, statementMessage, walletMessage } from '../messages/wallet.ts'
import { checkFunds } from '../use-cases/check-funds.ts'
import { checkRiderLedger } from '../use-cases/check-rider-ledger.ts'
import { getRiderWallet } from '../use-cases/get-rider-wallet.ts'
import { getWallet } from '../use-cases/get-wallet.ts'
import { listEscrowLedger } from '../use-cases/list-escrow-ledger.ts'
import { listFunds } from '../use-cases/list-funds.ts'
import { setTestWallet } from '../use-cases/set-test-wallet.ts'

const reading = merchant('orders:read', 'orders:write')

/** The rpcs of wallets. */
export const walletService = serving<Context>()(WalletServiceService, {
  getWallet: rpc({
    access: either(reading, operator('admin.ledger.read')),
    input: z.object({ ...pageFields(), merchant_id: z.string().optional() }),
    handle: async (ctx, by, { merchant_id: merchantId, ...page }) =>
      statementMessage(await getWallet(ctx, by, { merchantId, page }), page),
  }),

  getRiderWallet: rpc({
    access: either(money(rider()), operator('admin.ledger.read')),
    input: z.object({ ...pageFields(), rider_id: z.string().optional() }),
    handle: async (ctx, by, { rider_id: riderId, ...page }) =>
      statementMessage(await getRiderWallet(ctx, by, { riderId, page }), page),
  }),

  listEscrowLedger: rpc({
    access: reading,
    input: z.object({
      ...pageFields(),
      order_id: idField.optional(),
      entry_type: z.enum(ESCROW_ENTRY_TYPES).optional(),
    }),
    handle: async (ctx, by, { order_id: orderId, entry_type: entryType, ...page }) => {
      const { items, total } = await listEscrowLedger(ctx, by, { orderId, entryType, page })
      return { items: items.map(escrowMessage), total, ...page }
    },
  }),

  checkFunds: rpc({
    access: either(merchant('orders:write'), service('dispatch')),
    input: z.object({
      required_minor: amountMinor,
      merchant_id: z.string().optional(),
      is_test: z.boolean().optional(),
    }),
    handle: async (ctx, by, { required_minor, merchant_id: merchantId, is_test: isTest }) => {
      const funds = await checkFunds(ctx, by, { requiredMinor: required_minor, merchantId, isTest })
      const { sufficient, availableMinor: balance_minor, currency } = funds
      return { sufficient, required_minor, balance_minor, currency }
    },
  }),

  listFunds: rpc({
    access: service('order'),
    input: z.object({ wallets: z.array(z.object({ merchant_id: idField, is_test: z.boolean() })).max(500) }),
    async handle(ctx, by, { wallets }) {
      const asked = wallets.map(({ merchant_id: merchantId, is_test: isTest }) => ({ merchantId, isTest }))
      const funds = await listFunds(ctx, by, asked)
      return { funds: funds.map((one) => ({ balance_minor: one?.available_minor, currency: one?.currency ?? '' })) }
    },
  }),

  checkRiderLedger: rpc({
    access: service('dispatch'),
    input: z.object({ rider_id: idField }),
    handle: async (ctx, by, { rider_id: riderId }) => ({ has_entries: await checkRiderLedger(ctx, by, { riderId }) }),
  }),

  setTestWallet: rpc({
    access: merchant('orders:write'),
    input: z.object({ balance_minor: amountMinor }),
    handle: async (ctx, by, { balance_minor: balanceMinor }) => ({
      wallet: walletMessage(await setTestWallet(ctx, by, { balanceMinor })),
    }),
  }),
})

import type { ChannelServiceService } from '@svc/contracts/ingestion/v1/channel_service'
import { ServiceError } from '@svc/errors'
import { type Call, type Handlers, requireAdmin, requireMerchant } from '@svc/grpc'
import { resourceId } from '@svc/inputs'
import type { Context } from '../context.ts'
import { channelSettingsMessage } from '../messages/channel-settings.ts'
import { getChannelSettings } from '../use-cases/get-channel-settings.ts'
import { putChannelSettings } from '../use-cases/put-channel-settings.ts'
import { requireMerchantExists } from '../use-cases/require-merchant-exists.ts'

const READ_SCOPES = ['orders:read', 'orders:write']

/** The rpcs of a merchant's channels; operators name the merchant. */
export function channelService(ctx: Context): Handlers<typeof ChannelServiceService> {
  return {
    async getChannelSettings({ channel, merchant_id }, call) {
      const merchantId = merchant_id
        ? await asOperator(ctx, call, merchant_id, 'admin.merchants.read')
        : requireReader(call)
      return { channel_settings: channelSettingsMessage(channel, await getChannelSettings(ctx, merchantId, channel)) }
    },

    async putChannelSettings({ channel, merchant_id, secret, clear_fields: clearFields }, call) {
      const merchantId = merchant_id
        ? await asOperator(ctx, call, merchant_id, 'admin.merchants.write')
        : requireMerchant(call, 'keys:manage').merchantId
      const after = await putChannelSettings(ctx, call.caller, { merchantId, channel }, { secret, clearFields })
      return { channel_settings: channelSettingsMessage(channel, after) }
    },
  }
}

async function asOperator(ctx: Context, call: Call, named: string, permission: string): Promise<string> {
  requireAdmin(call, permission)
  const merchantId = resourceId(named)
  await requireMerchantExists(ctx, merchantId)
  return merchantId
}

/** Either scope will do. */
function requireReader(call: Call): string {
  const { merchantId } = requireMerchant(call)
  if (READ_SCOPES.some((scope) => call.caller.scopes.includes(scope))) return merchantId
  throw new ServiceError('forbidden', { details: { required: READ_SCOPES } })
}

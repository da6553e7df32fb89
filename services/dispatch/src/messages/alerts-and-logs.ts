import type {
  OtpSendLog as OtpSendLogMessage,
  SosAlert as SosAlertMessage,
} from '@svc/contracts/dispatch/v1/rider_service'
import type { OtpSendLog } from '../db/otps.ts'
import type { SosAlert } from '../db/sos-alerts.ts'

export const otpSendLogMessage = (log: OtpSendLog): OtpSendLogMessage => ({
  id: log.id,
  channel: log.channel,
  phone_masked: log.phone.replace(/\d(?=\d{4})/g, '*'),
  order_id: log.orderId ?? undefined,
  provider: log.provider,
  status: log.status,
  created_at: log.createdAt.toISOString(),
})

export const sosAlertMessage = (alert: SosAlert): SosAlertMessage => ({
  id: alert.id,
  rider_id: alert.riderId,
  merchant_id: alert.merchantId ?? undefined,
  point: alert.point ?? undefined,
  note: alert.note ?? undefined,
  created_at: alert.createdAt.toISOString(),
})

import type { SentOtp as SentOtpMessage } from '@svc/contracts/dispatch/v1/rider_service'
import type { SentOtp } from '../domain/otp.ts'

/** What is told of a code that was sent. */
export const sentOtpMessage = ({ expiresInSeconds, cooldownSeconds, resendAt }: SentOtp): SentOtpMessage => ({
  expires_in: expiresInSeconds,
  cooldown_seconds: cooldownSeconds,
  resend_at: resendAt.toISOString(),
})
